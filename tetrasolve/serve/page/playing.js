// Playing as every game has it: what can be done, a history with undo and redo, panels beside the board, and an address that keeps it all.
//
// A game calls playing(root, ctx, make); make(table) gives its rules:
//   words                 its module of words: action, contents, changes, result, ruleset
//   place(id)             the name of a place
//   level                 of the game that begins where the address has none
//   panels                name -> make(ctx, table), beside the panel `turn`
//   chance, modes         what decides ("dice"), and how it is found; the first way is by the seed
//   history(record, replayed)   a GameHistory of a record; headOf(read) the first lines of one for a position that was read
//   read(position)        the answer of `read`
//   look(position, over)  all about a position: json, rows (action, place, perhaps ip), title, note, options() and what its board requires in `seen`
//   act(text)             carries an action out and adds it to the history; what is said of it, or nothing where it was taken back
//   between               what stands between typed actions
//   log(game)             a line for each thing that happened
//   home(json)            the place that a small screen shows first
// and perhaps replay, more fields for the question of that name; cost(row), what an action costs; more(row), what stands at it; ahead(row), done before it is chosen; asked, an element for questions; beside, one beside the board.
// A panel has root, show(), clear() when the position is another one, and perhaps end(). `table` is what panels and rules see.
import { button, field, fill, h } from './dom.js';
import { named, reason } from './parts.js';

const TURN = 'turn';
const STRIDE = 9973; // between the seeds of two events: each has dice of its own, the same ones after undo
const random = () => Math.floor(Math.random() * 1e6);

export async function playing(root, ctx, make) {
  const { t } = ctx;
  let game; // a GameHistory
  let now; // the answers about the position on the board
  let chosen; // the place whose actions are shown
  let busy = false;
  let own = ''; // the address that this view has written
  const title = h('h1');
  const facts = h('p', { class: 'facts' });
  const here = h('div', { class: 'here' });
  const options = h('div', { class: 'actions' });
  const log = h('ol', { class: 'log' });
  const typed = h('input', { name: 'action', autocomplete: 'off', spellcheck: 'false', list: 'legal', placeholder: t('typed.short'), 'aria-label': t('typed') });
  const legal = h('datalist', { id: 'legal' });
  const undo = button(t('undo'), () => step(-1));
  const redo = button(t('redo'), () => step(1));
  const side = h('div');

  const table = {
    get board() { return board; },
    side,
    get game() { return game; },
    get now() { return now; },
    get position() { return game.shown; },
    get json() { return now.json; },
    get isDrawn() { return way() === rules.modes[0]; },
    get seed() { return Number(seed.lastChild.value) * STRIDE + game.at; },
    record: () => game.text(),
    choice,
    alone,
    draw,
    open,
    playAll,
  };
  const rules = make(table);
  const at = (id) => now?.rows.filter((row) => row.place === id) || [];
  const inside = (id) => (now ? rules.words.contents(ctx, now.json, id) : []);
  const cost = (row) => rules.cost?.(row);
  const board = ctx.board({ label, onPlace: pick });
  const { words, chance, modes } = rules;
  const way = () => ctx.state[chance] || modes[0];
  const mode = field(t(chance), { value: way(), onchange: (event) => { set({ [chance]: event.target.value }); show().catch(ctx.say); } }, named(modes, (name) => t(`${chance}.${name}`)));
  const seed = field(t(`${chance}.seed`), { type: 'number', min: 0, max: 999999999, value: ctx.state.seed || random(), onchange: (event) => set({ seed: event.target.value }) });
  const panels = {
    [TURN]: { show: overlay, clear() {}, root: h('div', {}, here, options,
      h('form', { class: 'row typed', onsubmit: (event) => { event.preventDefault(); playAll(typed.value.split(rules.between), true); } }, typed, h('button', {}, t('do'))), legal,
      h('details', {}, h('summary', {}, t(chance)), h('div', { class: 'row' }, mode, seed))) },
    ...Object.fromEntries(Object.entries(rules.panels).map(([name, one]) => [name, one(ctx, table)])),
  };
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': t('panels') }, Object.keys(panels).map((name) => button(t(`panel.${name}`), () => openPanel(name), { 'data-panel': name })));
  const body = h('div', { class: 'body' });
  const looking = h('p', { class: 'looking', hidden: true }, t('looking'), ' ', button(t('looking.end'), () => draw(game.shown, {})));
  fill(root, h('section', { class: 'table' }, h('div', { class: 'top' }, title, facts, h('p', { class: 'row' }, undo, redo)), rules.beside ? h('div', { class: 'spread' }, board.root, rules.beside) : board.root, looking),
    h('section', { class: 'panel' }, tabs, rules.asked, body), h('section', { class: 'past' }, side, h('h2', {}, t('log')), log));

  function set(changes) {
    ctx.set(changes, { silent: true });
    own = location.href;
  }

  const panel = () => (ctx.state.panel in panels ? ctx.state.panel : TURN);

  function openPanel(name) {
    if (!game) return begin().catch(ctx.say); // no key, say: asked again
    if (name !== panel()) panels[panel()].end?.(); // nobody looks at what it would find
    set({ panel: name });
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.panel === name));
    fill(body, panels[name].root);
    side.hidden = name !== 'hint';
    draw(game.shown, {});
    return panels[name].show();
  }

  /** Shows a position with something drawn over it: a step of a plan, say. */
  async function draw(position, over, isHere = false) {
    looking.hidden = isHere || position === game.shown;
    board.overlay(over);
    if (position) await board.show(position).catch(ctx.say);
    if (!isHere && position === game.shown && panel() === TURN) overlay();
  }

  function label(id) {
    const found = at(id).map((row) => [words.action(ctx, row.action), cost(row)].filter(Boolean).join(', '));
    return [rules.place(id), ...inside(id), ...(found.length ? [found.join('; ')] : [])].join(', ');
  }

  function overlay() {
    const hints = {};
    if (!now?.chance) for (const { place, ip } of now?.rows || []) if (board.has(place) && !(hints[place] <= ip)) hints[place] = ip ?? '';
    board.overlay({ hints, chosen: chosen ? [chosen] : [] });
  }

  function choice(row) {
    return button([words.action(ctx, row.action), rules.more?.(row)], () => playAll([row.action]), { class: 'action', title: row.action });
  }

  function pick(id) {
    if (busy || !game) return void rules.asked?.querySelector(`[data-place=${id}]`)?.focus();
    if (panel() !== TURN) openPanel(TURN);
    const found = at(id);
    const only = found.length === 1 && found[0];
    const again = chosen === id;
    if (again && only) {
      playAll([only.action]);
      return;
    }
    chosen = id;
    if (only) rules.ahead?.(only);
    fill(here, h('h2', {}, rules.place(id)), h('p', {}, inside(id).join(', ')),
      found.length ? h('p', { class: 'row' }, found.map(choice)) : h('p', { class: 'note' }, t('here.nothing')));
    overlay();
    ctx.announce(only ? t('here.again', { action: words.action(ctx, only.action), cost: cost(only) }) : found.length ? label(id) : `${label(id)}. ${t('here.nothing')}`);
    if (again && !only && found.length) here.querySelector('button').focus();
  }

  /** Does something that no other work may come into; says what it returns, and what has changed on the board. */
  async function alone(work) {
    if (busy) return void rules.asked?.querySelector('button')?.focus(); // what is asked comes first
    busy = true;
    root.classList.add('busy');
    const { json } = now;
    try {
      const done = await work();
      chosen = undefined;
      await show();
      if (!done) return;
      const changes = game.result ? [] : words.changes(ctx, json, now.json);
      game.events[game.at - 1].changes = changes;
      fill(log, rules.log(game));
      ctx.announce([done, ...changes, title.textContent].join('. '));
    } catch (error) {
      await show().catch(() => {});
      ctx.say(error);
    } finally {
      busy = false;
      root.classList.remove('busy');
    }
  }

  /** Actions one after the other, until one is refused or taken back; of a typed line what was not done is left. */
  async function playAll(list, isTyped) {
    const left = list.map((part) => part.trim()).filter(Boolean);
    if (!left.length || game.result) return;
    await alone(async () => {
      const done = [];
      while (left.length) {
        const said = await rules.act(left[0]);
        if (!said) break;
        done.push(said);
        left.shift();
        if (isTyped) typed.value = left.join('; ');
        if (left.length) await show();
      }
      return done.join('. ');
    });
  }

  async function step(by) {
    if (busy && by < 0) rules.asked?.querySelector('.back')?.click(); // undo of a die that was given, or of the action that asks for it
    if (busy || (by < 0 ? !game.at : game.at === game.events.length)) return;
    game.at += by;
    chosen = undefined;
    await show();
    ctx.announce(`${t(by < 0 ? 'undone' : 'redone')}. ${title.textContent}`);
  }

  /** Everything about the position on the board. */
  async function show() {
    const position = game.shown;
    const changed = now?.position !== position;
    set({ position, record: game.text(), seed: seed.lastChild.value });
    looking.hidden = true;
    const over = game.result;
    const found = await rules.look(position, over);
    if (position !== game.shown) return;
    now = { ...found, position };
    const drawn = board.show(position, found.seen);
    title.textContent = over ? words.result(ctx, over) : found.title;
    fill(facts, words.ruleset(ctx, position), ' · ', t('turn.number', { number: game.turns }));
    undo.disabled = !game.at;
    redo.disabled = game.at === game.events.length;
    fill(here, !chosen && h('p', { class: 'note' }, t(over ? 'over.about' : found.note)));
    fill(options, !over && found.options());
    fill(legal, found.rows.map((row) => h('option', { value: row.action })));
    fill(log, rules.log(game));
    board.label();
    if (panel() === TURN) overlay();
    if (changed) for (const other of Object.values(panels)) other.clear();
    if (changed && panel() !== TURN) await panels[panel()].show();
    await drawn;
  }

  const begun = (record, found = { states: [] }) => rules.history(record, found);
  const wrong = (found) => t('record.wrong', { line: found.line, problem: found.problem });

  /** Begins with a game that a record holds. */
  async function open(text) {
    try {
      const found = await ctx.ask('replay', { record: text, ...rules.replay });
      if (!found.verified || !found.states[0].position) {
        ctx.say(found.verified ? words.result(ctx, found.result) : wrong(found));
        return;
      }
      game = begun(text, found);
      chosen = undefined;
      if (panel() === 'game') openPanel(TURN);
      await show();
      ctx.announce(title.textContent);
    } catch (error) {
      ctx.say(error);
    }
  }

  /** The game of the address: a record, a position, or a new game. */
  async function begin() {
    const { position, record } = ctx.state;
    game = undefined;
    if (record) {
      const found = await ctx.ask('replay', { record, ...rules.replay }).catch((error) => ({ line: '?', problem: error.message }));
      if (!found.verified) ctx.say(wrong(found));
      else if (found.states[0].position) game = begun(record, found);
      if (position && game?.shown !== position) game = undefined;
    }
    if (!game && position) {
      try {
        const read = await rules.read(position);
        if (!read.legal) ctx.say(read.reasons.map((row) => reason(ctx, row)).join('; '));
        else game = begun(rules.headOf(read));
      } catch (error) {
        ctx.say(error);
      }
    }
    game ||= begun((await ctx.ask('new', { level: rules.level, seed: random() })).record);
    await show();
    board.reveal(rules.home(now.json));
    await openPanel(panel());
  }

  const end = ctx.onState(() => { if (location.href !== own) begin().catch(ctx.say); });
  await begin();
  return () => {
    end();
    for (const found of Object.values(panels)) found.end?.();
  };
}

/** Actions by kind; those of a kind that has more than `most` are folded, unless it is the only one. */
export function byKind(rows, kind, choice, most, label) {
  const kinds = {};
  for (const row of rows) (kinds[kind(row)] ||= []).push(row);
  return Object.entries(kinds).map(([name, found], _, { length }) => {
    const line = h('p', { class: 'row' }, found.map(choice));
    return found.length > most && length > 1 ? h('details', {}, h('summary', {}, `${label(name)} (${found.length})`), line) : line;
  });
}
