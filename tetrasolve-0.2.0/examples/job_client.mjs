// Ask a long question as a job, and have its answer once, whatever is restarted or lost in between.
//
// node examples/job_client.mjs URL KIND FIELDS: prints each event as its number, its kind and its data. It requires Node 18 or
// later; a page can use `answers` as it is, or an EventSource, which sends Last-Event-ID by itself.

const FINAL = ["done", "cancelled", "error"];
const LATER = [429, 502, 503, 504]; // the service or a proxy before it has no place, or is away
const SILENCE = 30_000; // milliseconds; the service sends a comment every 10 s
const PATIENCE = 300_000; // milliseconds in all

class TryAgain extends Error {}

// The events of a job, each once: its number, which rises, its kind, and its data; the last one is final
async function* answers(url, kind, fields) {
  const key = crypto.randomUUID();
  const end = Date.now() + PATIENCE;
  let last = 0;
  let place = "";
  while (Date.now() < end) {
    try {
      place = place || (await opened(url, kind, fields, key));
      for await (const event of listened(url, place, last)) {
        last = event.number;
        yield event;
        if (FINAL.includes(event.kind)) return;
      }
    } catch (error) {
      if (error instanceof RangeError) throw error; // refused: a retry has the same answer
      const pause = error instanceof TryAgain ? Number(error.message) : 1;
      await new Promise((wake) => setTimeout(wake, 1000 * pause * (1 + Math.random() / 2))); // not all at once
    }
  }
  throw new RangeError("no answer within " + PATIENCE / 1000 + " s");
}

// The place of the job with this key
async function opened(url, kind, fields, key) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  const signal = AbortSignal.timeout(SILENCE);
  const response = await fetch(`${url}/v1/jobs/${kind}`, { method: "POST", body: JSON.stringify(fields), headers, signal });
  return (await checked(response)).headers.get("Location");
}

// The events with higher numbers, until the connection ends
async function* listened(url, place, last) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    const headers = { "Last-Event-ID": String(last) };
    const response = await checked(await fetch(url + place + "/events", { headers, signal: silence.signal }));
    if (response.body === null) return;
    let text = "";
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      const blocks = (text + bytes).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const rows = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
        if ("id" in rows) yield { number: Number(rows.id), kind: rows.event, data: JSON.parse(rows.data) };
      }
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

// A response that is an answer
async function checked(response) {
  if (LATER.includes(response.status)) {
    await response.body?.cancel();
    throw new TryAgain(response.headers.get("Retry-After") ?? "1");
  }
  if (!response.ok) throw new RangeError(`${response.status}: ${(await response.json()).detail}`);
  return response;
}

if (typeof process !== "undefined") {
  const [url, kind, fields] = process.argv.slice(2);
  for await (const { number, kind: status, data } of answers(url, kind, JSON.parse(fields))) {
    console.log(number, status, JSON.stringify(data));
  }
}
