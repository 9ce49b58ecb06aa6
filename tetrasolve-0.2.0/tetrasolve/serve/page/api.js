// Questions to the service: answers as JSON, or as a stream of events that begins with what is known first.

const KEY = 'key'; // in the storage of this tab
const PAUSE = 1000; // milliseconds before a connection that broke is tried again
const KEPT = 300; // answers to quick questions that are asked again with undo, redo and looking back
const FOREVER = ['actions', 'picture', 'read', 'view', 'turn', 'puzzle', 'puzzles', 'finding', 'findings'];

/** An answer that is an error: `status`, `detail`, and where they are known `where` and `expected`. */
export class Problem extends Error {
  constructor(data) {
    super([[data.where, data.detail || data.title].filter(Boolean).join(': '), data.expected].filter(Boolean).join(' · '));
    Object.assign(this, data);
  }
}

async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const rows = Object.fromEntries(
        block.split('\n').filter((line) => !line.startsWith(':')).map((line) => line.split(/: (.*)/s)),
      );
      if (rows.event) yield [rows.event, JSON.parse(rows.data)];
    }
  }
}

/** The function that asks; `wantKey(isWrong)` gets a key from the user, `language()` is that of the sentences in answers. `ask.keep(kind, body, result)` is an answer that is known. */
export function asker(wantKey, language) {
  const kept = new Map();

  const nameOf = (kind, body) => language() + kind + JSON.stringify(body);

  function keep(kind, body, found) {
    const name = nameOf(kind, body);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
    kept.set(name, found);
    return name;
  }

  async function send(kind, body, options) {
    const headers = { 'content-type': 'application/json', 'accept-language': language(), accept: options.onPartial ? 'text/event-stream' : 'application/json' };
    const key = sessionStorage.getItem(KEY);
    if (key) headers.authorization = `Bearer ${key}`;
    let response;
    try {
      response = await fetch(`v1/${kind}`, { method: options.method || 'POST', headers, body: body && JSON.stringify(body), signal: options.signal });
    } catch (error) {
      throw error.name === 'AbortError' ? error : new Problem({ status: 0, detail: String(error.message) });
    }
    if (response.status === 401) {
      const found = await wantKey(Boolean(key));
      if (!found) throw new Problem(await response.json());
      sessionStorage.setItem(KEY, found);
      return send(kind, body, options);
    }
    if (!response.ok) {
      const retry = response.headers.get('retry-after');
      throw new Problem({ status: response.status, retry, ...(await response.json().catch(() => ({ detail: response.statusText }))) });
    }
    if (!options.onPartial) return response.json();
    for await (const [event, data] of events(response)) {
      if (event === 'partial') options.onPartial(data);
      else if (event === 'waiting') options.onWait?.(data);
      else if (event === 'done' || event === 'cancelled') return data;
      else if (event === 'error') throw new Problem(data);
    }
    throw new Problem({ status: 0, detail: 'the stream ended' });
  }

  /** A question that may take longer than a stream: it goes on where a connection breaks, and ends with `signal`. */
  async function work(kind, body, options) {
    const { job } = await send(`jobs/${kind}`, body, {});
    const place = `jobs/${job}`;
    options.signal.addEventListener('abort', () => send(place, undefined, { method: 'DELETE' }).catch(() => {}));
    for (;;) {
      try {
        return await send(`${place}/events`, undefined, { onPartial() {}, ...options, method: 'GET' });
      } catch (problem) {
        if (problem.status !== 0) throw problem;
        await new Promise((done) => { setTimeout(done, PAUSE); });
      }
    }
  }

  /** The result of a request of the protocol. `onPartial` makes it a stream, `isJob` with it a job; `signal` ends it. */
  async function ask(kind, body, options = {}) {
    if (options.isJob) return work(kind, body, options);
    if (!FOREVER.includes(kind)) return send(kind, body, options);
    const known = kept.get(nameOf(kind, body));
    if (known) return known;
    const found = send(kind, body, { ...options, signal: undefined });
    const name = keep(kind, body, found);
    found.catch(() => kept.delete(name));
    return found;
  }
  return Object.assign(ask, { keep });
}
