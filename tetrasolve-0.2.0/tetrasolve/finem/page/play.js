// Playing: the map, what can be decided, cards by seed or typed in, undo, and panels with advice about the position.
import { button, field, fill, h } from '../dom.js';
import { advicePanel } from './advice.js';
import { eventsOf, recordHead, headOf, History } from './record.js';
import { riskPanel } from './risk.js';
import { gamePanel } from './setup.js';
import { tablePanel } from './table.js';
import { tracks } from './tracks.js';
import * as words from './words.js';

const LEVEL = 'standard';
const PANELS = { turn: undefined, hint: advicePanel, risk: riskPanel, table: tablePanel, game: gamePanel };
const STRIDE = 9973; // between the seeds of two events: each has a card of its own, the same one after undo
const FEW = 8; // options of a decision that are shown unfolded
const random = () => Math.floor(Math.random() * 1e6);
const phaseOf = (ctx, position) => ctx.game.phases[position.split(' ')[6].split(':')[0]];

export async function mount(root, ctx) {
  let game; // a History
  let now; // the answers about the position on the board
  let chosen; // the region whose options are shown
  let busy = false;
  let own = ''; // the address that this view has written
  const board = ctx.board({ label, onPlace: pick });
  const side = tracks(ctx);
  const title = h('h1', {});
  const facts = h('p', { class: 'facts' });
  const here = h('div', { class: 'here' });
  const options = h('div', { class: 'actions' });
  const log = h('ol', { class: 'log' });
  const typed = h('input', { name: 'action', autocomplete: 'off', spellcheck: 'false', list: 'legal', placeholder: ctx.t('typed.short'), 'aria-label': ctx.t('typed') });
  const legal = h('datalist', { id: 'legal' });
  const undo = button(ctx.t('undo'), () => step(-1));
  const redo = button(ctx.t('redo'), () => step(1));
  const mode = field(ctx.t('cards'), { value: ctx.state.cards || 'drawn', onchange: (event) => { set({ cards: event.target.value }); show().catch(ctx.say); } }, { drawn: ctx.t('cards.drawn'), table: ctx.t('cards.table') });
  const seed = field(ctx.t('cards.seed'), { type: 'number', min: 0, max: 999999999, value: ctx.state.seed || random(), onchange: (event) => set({ seed: event.target.value }) });

  /** What the panels see. */
  const table = {
    get position() { return game.shown; },
    get json() { return now.json; },
    record: () => game.text(),
    draw,
    open,
    playAll,
  };
  const panels = Object.fromEntries(Object.entries(PANELS).map(([name, make]) => [name, make?.(ctx, table)]));
  panels.turn = { show: overlay, clear: () => {}, root: h('div', {}, here, options,
    h('form', { class: 'row typed', onsubmit: (event) => { event.preventDefault(); several(typed.value); } }, typed, h('button', {}, ctx.t('do'))), legal,
    h('details', {}, h('summary', {}, ctx.t('cards')), h('div', { class: 'row' }, mode, seed))) };
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': ctx.t('panels') }, Object.keys(PANELS).map((name) => button(ctx.t(`panel.${name}`), () => openPanel(name), { 'data-panel': name })));
  const body = h('div', { class: 'body' });
  const looking = h('p', { class: 'looking', hidden: true }, ctx.t('looking'), ' ', button(ctx.t('looking.end'), () => draw(game.shown, {})));
  fill(root, h('section', { class: 'table' }, h('div', { class: 'top' }, title, facts, h('p', { class: 'row' }, undo, redo)), h('div', { class: 'spread' }, board.root, side.root), looking),
    h('section', { class: 'panel' }, tabs, body), h('section', { class: 'past' }, h('h2', {}, ctx.t('log')), log));

  function set(changes) {
    ctx.set(changes, { silent: true });
    own = location.href;
  }

  const panel = () => (ctx.state.panel in PANELS ? ctx.state.panel : 'turn');
  const isDrawn = () => (ctx.state.cards || 'drawn') === 'drawn';

  function openPanel(name) {
    if (name !== panel()) panels[panel()].end?.(); // nobody looks at what it would find
    set({ panel: name });
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.panel === name));
    fill(body, panels[name].root);
    draw(game.shown, {});
    return panels[name].show();
  }

  /** Shows a position with something drawn over it. */
  async function draw(position, over, isHere = false) {
    looking.hidden = isHere || position === game.shown;
    board.overlay(over);
    if (position) await board.show(position).catch(ctx.say);
    if (!isHere && position === game.shown && panel() === 'turn') overlay();
  }

  const rows = () => now?.rows || [];
  const at = (id) => rows().filter((row) => row.place === id);

  /** The region that an option is about. */
  function placeOf(action, pawn) {
    const [verb, ...rest] = action.split(' ');
    if (verb === 'confront') return pawn;
    return [verb, ...rest].find((word) => word in ctx.map(game.shown)[0]);
  }

  function label(id) {
    const name = words.card(ctx, id);
    return now?.json ? [name, ...words.contents(ctx, now.json, id), ...at(id).map((row) => words.action(ctx, row.action))].join(', ') : name;
  }

  function overlay() {
    const hints = now?.chance ? {} : Object.fromEntries(rows().filter((row) => row.place).map((row) => [row.place, '']));
    board.overlay({ hints, chosen: chosen ? [chosen] : [] });
  }

  const choice = (row) => button(words.action(ctx, row.action), () => act(row.action), { class: 'action', title: row.action });

  function pick(id) {
    if (busy) return;
    if (panel() !== 'turn') openPanel('turn');
    const found = at(id);
    const again = chosen === id;
    if (again && found.length === 1) {
      act(found[0].action);
      return;
    }
    chosen = id;
    fill(here, h('h2', {}, words.card(ctx, id)), now?.json && h('p', {}, words.contents(ctx, now.json, id).join(', ')),
      found.length ? h('p', { class: 'row' }, found.map(choice)) : h('p', { class: 'note' }, ctx.t('here.nothing')));
    overlay();
    ctx.announce(found.length === 1 ? ctx.t('here.again', { action: words.action(ctx, found[0].action) }) : label(id));
    if (again && found.length > 1) here.querySelector('button').focus();
  }

  /** Does something that no other work may come into. */
  async function alone(work) {
    if (busy) return;
    busy = true;
    root.classList.add('busy');
    const { json } = now;
    try {
      const done = await work();
      chosen = undefined;
      await show();
      const lines = !game.result && json ? words.changes(ctx, json, now.json) : [];
      if (done) ctx.announce([done, ...lines, title.textContent].join('. '));
    } catch (error) {
      await show().catch(() => {});
      ctx.say(error);
    } finally {
      busy = false;
      root.classList.remove('busy');
    }
  }

  async function go(body) {
    const found = await ctx.ask('apply', { position: game.shown, ...body });
    game.add({ action: found.action, position: found.position, result: found.result });
    return words.action(ctx, found.action);
  }

  const act = (text) => !game.result && alone(() => go({ action: text }));

  /** Cards and decisions that were typed, one after the other. */
  const several = (text) => !game.result && alone(async () => {
    const parts = text.split(/[;,]+/).map((part) => part.trim()).filter(Boolean);
    const done = [];
    for (const part of parts) done.push(await go({ action: part }));
    typed.value = '';
    return done.join('. ');
  });

  const isChance = () => !game.result && ctx.game.chances.includes(game.shown.split(' ')[6].split(':')[0]);

  /** Draws one card, or all up to the next decision. */
  const deal = (isAll) => alone(async () => {
    const done = [];
    do done.push(await go({ seed: Number(seed.querySelector('input').value) * STRIDE + game.at })); while (isAll && isChance());
    return done.join(', ');
  });

  /** The options of a plan one after the other. */
  function playAll(list) {
    return alone(async () => {
      const done = [];
      for (const text of list) done.push(await go({ action: text }));
      return done.join('. ');
    });
  }

  async function step(way) {
    if (busy || (way < 0 ? !game.at : game.at === game.events.length)) return;
    game.at += way;
    chosen = undefined;
    await show();
    ctx.announce(`${ctx.t(way < 0 ? 'undone' : 'redone')}. ${title.textContent}`);
  }

  /** What happened, a line for each phase, the last one first. */
  function logLines() {
    const found = [];
    let before;
    game.events.slice(0, game.at).forEach((row, number) => {
      const line = game.phaseLine(number);
      if (line !== before) found.push(h('li', { class: line.startsWith('actions') ? '' : 'phase' }, h('strong', {}, ctx.t(`phase.${line.split(' ')[0]}`), ': ')));
      before = line;
      found.at(-1).append(button(words.action(ctx, row.action), () => draw(row.position, {}), { class: 'line', disabled: !row.position }));
    });
    return found.reverse();
  }

  /** Everything about the position on the board. */
  async function show() {
    const position = game.shown;
    const changed = now?.position !== position;
    set({ position, record: game.text(), seed: seed.querySelector('input').value });
    looking.hidden = true;
    const over = game.result;
    const drawn = board.show(position);
    const [read, found] = await Promise.all([ctx.ask('read', { position }), over ? { actions: [] } : ctx.ask('actions', { position })]);
    if (position !== game.shown) return;
    now = { position, json: read.json, chance: found.is_chance };
    now.rows = found.actions.map((row) => ({ ...row, place: placeOf(row.action, read.json.pawn) }));
    const phase = phaseOf(ctx, position);
    title.textContent = over ? words.result(ctx, over) : ctx.t(`title.${found.is_chance ? 'chance' : phase === 'actions' ? 'actions' : 'decision'}`,
      { role: words.role(ctx, read.json.role), n: read.json.left || 0, step: ctx.t(`step.${read.json.step}`) });
    fill(facts, position.split(' ')[0].split('@')[0], ' · ', ctx.t('turn.number', { number: game.turns }));
    undo.disabled = !game.at;
    redo.disabled = game.at === game.events.length;
    side.show(read.json, read.most_decline);
    fill(here, chosen ? undefined : h('p', { class: 'note' }, ctx.t(over ? 'over.about' : found.is_chance ? (isDrawn() ? 'chance.about' : 'table.about') : 'turn.about')));
    fill(options, over ? [] : found.is_chance ? chances() : decisions());
    fill(legal, now.rows.map((row) => h('option', { value: row.action })));
    fill(log, logLines());
    board.label();
    if (panel() === 'turn') overlay();
    if (changed) for (const other of Object.values(panels)) other.clear();
    if (changed && panel() !== 'turn') await panels[panel()].show();
    await drawn;
  }

  const chances = () => (isDrawn()
    ? h('p', { class: 'row' }, button(ctx.t('draw.all'), () => deal(true), { class: 'primary' }), button(ctx.t('draw.one'), () => deal(false)))
    : h('div', { class: now.rows.length > FEW ? 'deck' : 'row', role: 'group', 'aria-label': ctx.t(`step.${now.json.step}`) }, now.rows.map((row) => button(words.action(ctx, row.action), () => act(row.action), { 'aria-label': words.action(ctx, row.action) === row.action ? words.card(ctx, row.action) : undefined }))));

  /** The options, those of one kind together; long lists are folded. */
  function decisions() {
    const kinds = {};
    for (const row of now.rows) (kinds[row.action.split(' ')[0]] ||= []).push(row);
    return Object.entries(kinds).map(([, found]) => (found.length > FEW && Object.keys(kinds).length > 1
      ? h('details', {}, h('summary', {}, `${ctx.t('more')} (${found.length})`), h('p', { class: 'row' }, found.map(choice)))
      : h('p', { class: 'row' }, found.map(choice))));
  }

  const wrong = (found) => ctx.t('record.wrong', { line: found.line, problem: found.problem });

  /** Begins with a game that a record holds. */
  async function open(text) {
    try {
      const found = await ctx.ask('replay', { record: text });
      if (!found.verified || !found.states[0].position) {
        ctx.say(found.verified ? words.result(ctx, found.result) : wrong(found));
        return;
      }
      game = new History(recordHead(text), ctx.game.phases, eventsOf(found));
      chosen = undefined;
      if (panel() === 'game') openPanel('turn');
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
      const found = await ctx.ask('replay', { record }).catch((error) => ({ line: '?', problem: error.message }));
      if (found.verified && found.states[0].position) {
        game = new History(recordHead(record), ctx.game.phases, eventsOf(found));
        if (position && game.shown !== position) game = undefined;
      } else if (!found.verified) ctx.say(wrong(found));
    }
    if (!game && position) {
      try {
        const read = await ctx.ask('read', { position });
        if (!read.legal) ctx.say(read.reasons.map((row) => row.text).join('; '));
        else game = new History(headOf(read.position), ctx.game.phases);
      } catch (error) {
        ctx.say(error);
      }
    }
    game ||= new History(recordHead((await ctx.ask('new', { level: LEVEL, seed: random() })).record), ctx.game.phases);
    await show();
    board.reveal(now.json.pawn);
    await openPanel(panel());
  }

  const end = ctx.onState(() => { if (location.href !== own) begin().catch(ctx.say); });
  await begin();
  return () => {
    end();
    for (const found of Object.values(panels)) found.end?.();
  };
}
