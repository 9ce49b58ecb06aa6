// Playing: the board, what is legal and what it costs, dice, undo, and panels with advice about the position.
import { button, field, fill, h } from '../dom.js';
import { advicePanel } from './advice.js';
import { course } from './dice.js';
import { after } from './parts.js';
import { arrows } from './plans.js';
import { eventsOf, headOf, History } from './record.js';
import { riskPanel } from './risk.js';
import { gamePanel } from './setup.js';
import { tablePanel } from './table.js';
import * as words from './words.js';

const LEVEL = '4211';
const PANELS = { turn: undefined, hint: advicePanel, risk: riskPanel, table: tablePanel, game: gamePanel };
const BARBARIANS = 'barbarians';
const STRIDE = 9973; // between the seeds of two events: each has dice of its own, the same ones after undo
const random = () => Math.floor(Math.random() * 1e6);

export async function mount(root, ctx) {
  let game; // a History
  let now; // the answers about the position on the board
  let chosen; // the province whose actions are shown
  let busy = false;
  let own = ''; // the address that this view has written
  const board = ctx.board({ label, onProvince: pickProvince });
  const title = h('h1', {});
  const facts = h('p', { class: 'facts' });
  const here = h('div', { class: 'here' });
  const dice = h('div', {});
  const log = h('ol', { class: 'log' });
  const actions = h('div', { class: 'actions' });
  const typed = h('input', { name: 'action', autocomplete: 'off', spellcheck: 'false', list: 'legal', placeholder: ctx.t('typed.short'), 'aria-label': ctx.t('typed') });
  const legal = h('datalist', { id: 'legal' });
  const undo = button(ctx.t('undo'), () => step(-1));
  const redo = button(ctx.t('redo'), () => step(1));
  const mode = field(ctx.t('dice'), { value: ctx.state.dice || 'roll', onchange: (event) => set({ dice: event.target.value }) }, { roll: ctx.t('dice.roll'), table: ctx.t('dice.table') });
  const seed = field(ctx.t('dice.seed'), { type: 'number', min: 0, max: 999999999, value: ctx.state.seed || random(), onchange: (event) => set({ seed: event.target.value }) });

  /** What the panels see. */
  const table = {
    get position() { return game.shown; },
    get turnStart() { return game.turn ? game.events[game.turn - 1].position : game.start; },
    played: () => game.events.slice(game.turn, game.at).map((row) => row.action).filter((text) => text !== 'end'),
    record: () => game.text(),
    arrows: (position, turn) => arrows(ctx, position, turn),
    side: h('div', {}),
    draw,
    open,
    playAll,
  };
  const panels = Object.fromEntries(Object.entries(PANELS).map(([name, make]) => [name, make?.(ctx, table)]));
  const turnPanel = h('div', {}, here, dice, actions,
    h('form', { class: 'row typed', onsubmit: (event) => { event.preventDefault(); act(typed.value.trim()); } }, typed, h('button', {}, ctx.t('do'))), legal,
    h('details', {}, h('summary', {}, ctx.t('dice')), h('div', { class: 'row' }, mode, seed)));
  panels.turn = { root: turnPanel, show: overlay, clear: () => {} };
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': ctx.t('panels') }, Object.keys(PANELS).map((name) => button(ctx.t(`panel.${name}`), () => openPanel(name), { 'data-panel': name })));
  const body = h('div', { class: 'body' });
  const looking = h('p', { class: 'looking', hidden: true }, ctx.t('looking'), ' ', button(ctx.t('looking.end'), () => draw(game.shown, {})));
  fill(root, h('section', { class: 'table' }, h('div', { class: 'top' }, title, facts, h('p', { class: 'row' }, undo, redo)), board.root, looking), h('section', { class: 'panel' }, tabs, body),
    h('section', { class: 'past' }, table.side, h('h2', {}, ctx.t('log')), log));

  function set(changes) {
    ctx.set(changes, { silent: true });
    own = location.href;
  }

  const panel = () => (ctx.state.panel in PANELS ? ctx.state.panel : 'turn');

  function openPanel(name) {
    if (name !== panel()) panels[panel()].end?.(); // nobody looks at what it would find
    set({ panel: name });
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.dataset.panel === name));
    fill(body, panels[name].root);
    table.side.hidden = name !== 'hint';
    draw(game.shown, {});
    return panels[name].show();
  }

  /** Shows a position with something drawn over it: a step of a plan, say. */
  async function draw(position, over, isHere = false) {
    looking.hidden = isHere || position === game.shown;
    board.overlay(over);
    if (position) await board.show(position).catch(ctx.say);
    if (!isHere && position === game.shown && panel() === 'turn') overlay();
  }

  const rows = () => now?.rows || [];
  const at = (id) => rows().filter((row) => row.place === id);

  /** The legal actions, each attack once, with its outcomes. */
  function gathered(found) {
    const ways = new Map();
    for (const row of found) {
      if (row.kind !== 'attack') ways.set(row.action, row);
      else if (!row.payments.length) {
        const name = row.action.replace(/: \w+$/, '');
        const way = ways.get(name) || { ...row, action: name, outcomes: [] };
        way.outcomes.push(row);
        ways.set(name, way);
      }
    }
    return [...ways.values()];
  }

  function label(id) {
    if (!now?.json) return words.place(ctx, id);
    const parts = [words.place(ctx, id), ...words.contents(ctx, now.json, id)];
    const found = at(id);
    if (found.length) parts.push(found.map((row) => `${words.action(ctx, row.action)}, ${ctx.t('ip', { n: row.ip })}`).join('; '));
    return parts.join(', ');
  }

  function overlay() {
    const hints = {};
    for (const row of rows()) if (row.place in ctx.game.provinces && !(hints[row.place] <= row.ip)) hints[row.place] = row.ip;
    board.overlay({ hints, chosen: chosen ? [chosen] : [] });
  }

  const choice = (row) => button([words.action(ctx, row.action), h('span', { class: 'ip' }, ctx.t('ip', { n: row.ip })),
    row.outcomes && h('span', { class: 'chances' }, row.outcomes.map((found) => `${ctx.t(`outcome.${found.outcome}`)} ${found.chance.exact}`).join(' · '))],
  () => act(row.action), { class: 'action', title: row.action });

  function pickProvince(id) {
    if (busy) return;
    if (panel() !== 'turn') openPanel('turn');
    const found = at(id);
    if (chosen === id && found.length === 1) {
      act(found[0].action);
      return;
    }
    const again = chosen === id;
    chosen = id;
    // What a second click does is known when it comes
    if (found.length === 1 && !found[0].outcomes) after(ctx, game.shown, found[0].action).catch(() => {});
    fill(here, h('h2', {}, words.place(ctx, id)), h('p', {}, now?.json ? words.contents(ctx, now.json, id).join(', ') : ''),
      found.length ? h('p', { class: 'row' }, found.map(choice)) : h('p', { class: 'note' }, ctx.t('here.nothing')));
    overlay();
    ctx.announce(found.length === 1 ? ctx.t('here.again', { action: words.action(ctx, found[0].action), ip: ctx.t('ip', { n: found[0].ip }) }) : label(id));
    if (again && found.length > 1) here.querySelector('button').focus();
  }

  /** Carries out an action that was chosen or typed, with its dice. */
  async function act(text) {
    if (busy || !text || game.result) return;
    busy = true;
    root.classList.add('busy');
    const position = game.shown;
    const isTyped = typed.value.trim() === text;
    try {
      const rolls = text === BARBARIANS || (/\battack\b/.test(text) && !/:\s*(victory|draw|defeat)/.test(text));
      const rolled = (ctx.state.dice || 'roll') === 'roll' && { seed: Number(seed.querySelector('input').value) * STRIDE + game.at };
      if (!rolls && /\battack\b/.test(text)) {
        ctx.say(ctx.t('attack.stated'));
        return;
      }
      const found = rolls
        ? await course(ctx, dice, { position, action: text, ...rolled, onStep: (row) => tell(row, true) })
        : await after(ctx, position, text);
      if (!found) {
        await show();
        return;
      }
      const before = now.json;
      game.add({ action: found.action || BARBARIANS, faces: found.faces, steps: found.steps, position: found.position, result: found.result });
      if (isTyped) typed.value = '';
      chosen = undefined;
      await show();
      const lines = now.json && !game.result ? words.changes(ctx, before, now.json) : [];
      ctx.announce([found.action ? words.action(ctx, found.action) : ctx.t('phase'), ...lines, title.textContent].join('. '));
    } catch (error) {
      ctx.say(error);
    } finally {
      busy = false;
      root.classList.remove('busy');
    }
  }

  /** The actions of a plan one after the other, then its attack. */
  async function playAll(list, attack) {
    for (const text of [...list, ...(attack ? [attack] : [])]) {
      const before = game.at;
      await act(text);
      if (game.at === before) return;
    }
  }

  async function step(way) {
    if (busy || (way < 0 ? !game.at : game.at === game.events.length)) return;
    game.at += way;
    chosen = undefined;
    await show();
    ctx.announce(`${ctx.t(way < 0 ? 'undone' : 'redone')}. ${title.textContent}`);
  }

  /** A phase in the middle: the board as it is then. */
  const tell = (found, isOpen) => { if (isOpen && found.position) board.show(found.position).catch(ctx.say); };

  function faces(row) {
    return row.faces ? `${words.question(ctx, row.question)}: ${row.faces.join(' ')}` : `${ctx.name(row.decider)}: ${words.option(ctx, row.answer)}`;
  }

  function logLines() {
    const shown = game.events.slice(0, game.at);
    return shown.map((row, number) => h('li', { class: row.action === BARBARIANS ? 'phase' : '' },
      button(row.action === BARBARIANS ? ctx.t('phase') : words.action(ctx, row.action), () => draw(row.position, {}), { class: 'line', disabled: !row.position }),
      row.faces?.length ? h('span', { class: 'faces' }, ` ${row.faces.join(' ')}`) : '',
      row.action === BARBARIANS && row.steps && h('details', { open: number === shown.length - 1 }, h('summary', {}, ctx.t('phase.dice')),
        h('ol', {}, row.steps.map((found) => h('li', {}, faces(found))))))).reverse();
  }

  /** Everything about the position on the board. */
  async function show() {
    const position = game.shown;
    const changed = now?.position !== position;
    set({ position, record: game.text(), seed: seed.querySelector('input').value });
    looking.hidden = true;
    const over = game.result;
    const seen = await ctx.ask('view', { position });
    if (position !== game.shown) return;
    const { read } = seen;
    now = { position, json: read.json, rows: over ? [] : gathered(seen.actions.actions) };
    board.show(position, seen);
    const name = ctx.name(read.json.to_move);
    const phase = read.json.phase === 'barbarian';
    title.textContent = over ? result(over) : ctx.t(phase ? 'title.phase' : 'title.turn', { name, ip: ctx.t('ip', { n: read.json.ip }) });
    fill(facts, words.ruleset(position), ' · ', ctx.t('turn.number', { number: game.events.slice(0, game.at).filter((row) => row.action === BARBARIANS).length + 1 }));
    undo.disabled = !game.at;
    redo.disabled = game.at === game.events.length;
    fill(here, chosen ? undefined : h('p', { class: 'note' }, ctx.t(over ? 'over.about' : phase ? 'phase.about' : 'turn.about')));
    fill(actions, over ? [] : phase ? button(ctx.t('phase.roll'), () => act(BARBARIANS), { class: 'primary' }) : groups());
    fill(legal, now.rows.map((row) => h('option', { value: row.action })));
    fill(log, logLines());
    if (panel() === 'turn') overlay();
    if (changed) for (const other of Object.values(panels)) other.clear();
    if (changed && panel() !== 'turn') await panels[panel()].show();
  }

  /** The actions by kind; long lists are folded. */
  function groups() {
    const kinds = {};
    for (const row of now.rows) (kinds[row.kind] ||= []).push(row);
    return Object.entries(kinds).map(([kind, found]) => (found.length > 6
      ? h('details', {}, h('summary', {}, `${ctx.t(`kind.of.${kind}`)} (${found.length})`), h('p', { class: 'row' }, found.map(choice)))
      : h('p', { class: 'row' }, found.map(choice))));
  }

  function result(text) {
    const [, how, why] = text.match(/^(won|fallen)[:,]?\s*(.*)$/) || [];
    return how ? ctx.t(`result.${how}`) + (why && ` (${why})`) : text;
  }

  const wrong = (found) => ctx.t('record.wrong', { line: found.line, problem: found.problem });

  const recorded = (text, found) => new History(text.match(/^[^]*?^start .*$/m)[0], ctx.game.emperors, eventsOf(found));

  /** Begins with a game that a record holds. */
  async function open(text) {
    try {
      const found = await ctx.ask('replay', { record: text });
      if (!found.verified) {
        ctx.say(wrong(found));
        return;
      }
      game = recorded(text, found);
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
    if (position) board.show(position).catch(() => {}); // what is wrong with it is said below
    if (record) {
      const found = await ctx.ask('replay', { record }).catch((error) => ({ line: '?', problem: error.message }));
      if (found.verified) {
        game = recorded(record, found);
        if (position && game.shown !== position) game = undefined;
      } else ctx.say(wrong(found));
    }
    if (!game && position) {
      try {
        const { read } = await ctx.ask('view', { position });
        if (!read.legal) ctx.say(read.reasons.map((row) => row.text).join('; '));
        else game = new History(headOf(read.position, read.json.board), ctx.game.emperors);
      } catch (error) {
        ctx.say(error);
      }
    }
    game ||= new History((await ctx.ask('new', { level: LEVEL, seed: random() })).record, ctx.game.emperors);
    await show();
    board.reveal(now.json.emperors[now.json.to_move]);
    await openPanel(panel());
  }

  const end = ctx.onState(() => { if (location.href !== own) begin().catch(ctx.say); });
  await begin();
  return () => {
    end();
    for (const found of Object.values(panels)) found.end?.();
  };
}
