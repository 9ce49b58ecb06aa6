// Playing: what can be decided, and cards, which the service draws by a seed or a player takes from a table.
import { button, h } from '../dom.js';
import { byKind, playing } from '../playing.js';
import { advicePanel } from './advice.js';
import { eventsOf, headOf, GameHistory, recordHead } from './record.js';
import { riskPanel } from './risk.js';
import { gamePanel } from './setup.js';
import { tablePanel } from './table.js';
import { tracks } from './tracks.js';
import * as words from './words.js';

const MOST = 8; // options of one kind that are shown unfolded

export const mount = (root, ctx) => playing(root, ctx, (table) => {
  const side = tracks(ctx);
  const place = (id) => words.card(ctx, id);
  const stepOf = (position) => position.split(' ')[6].split(':')[0];

  /** The region that an option is about. */
  function placeOf(action, position, pawn) {
    const parts = action.split(' ');
    if (parts[0] === 'confront') return pawn;
    return parts.find((word) => word in ctx.map(position)[0]);
  }

  async function go(body) {
    const found = await ctx.ask('apply', { position: table.position, ...body });
    table.game.add({ action: found.action, position: found.position, result: found.result });
    return words.action(ctx, found.action);
  }

  const isChance = () => !table.game.result && ctx.game.chances.includes(stepOf(table.position));

  /** Draws one card, or all up to the next decision. */
  const deal = (isAll) => table.alone(async () => {
    const done = [];
    do done.push(await go({ seed: table.seed })); while (isAll && isChance());
    return done.join(', ');
  });

  /** What happened, a line for each phase, the last one first. */
  function log(game) {
    const found = [];
    let before;
    game.events.slice(0, game.at).forEach((row, number) => {
      const line = game.phaseLine(number);
      if (line !== before) found.push(h('li', { class: line.startsWith('actions') ? '' : 'phase' }, h('strong', {}, ctx.t(`phase.${line.split(' ')[0]}`), ': ')));
      before = line;
      found.at(-1).append(button(words.action(ctx, row.action), () => table.draw(row.position, {}), { class: 'line', disabled: !row.position }));
    });
    return found.reverse();
  }

  const cards = ({ rows, json }) => (table.isDrawn
    ? h('p', { class: 'row' }, button(ctx.t('draw.all'), () => deal(true), { class: 'primary' }), button(ctx.t('draw.one'), () => deal(false)))
    : h('div', { class: rows.length > MOST ? 'deck' : 'row', role: 'group', 'aria-label': ctx.t(`step.${json.step}`) }, rows.map(({ action }) => {
      const name = words.action(ctx, action);
      return button(name, () => table.playAll([action]), { 'aria-label': name === action ? place(action) : undefined });
    })));

  async function look(position, over) {
    table.board.show(position).catch(ctx.say); // it is drawn while the rest is asked for
    const [{ json, most_decline: most }, { actions, is_chance: chance }] = await Promise.all([ctx.ask('read', { position }), over ? { actions: [] } : ctx.ask('actions', { position })]);
    const found = { json, chance, rows: actions.map((row) => ({ ...row, place: placeOf(row.action, position, json.pawn) })) };
    const kind = chance ? 'chance' : ctx.game.phases[stepOf(position)] === 'actions' ? 'actions' : 'decision';
    if (position === table.position) side.show(json, most);
    return {
      ...found,
      title: ctx.t(`title.${kind}`, { role: words.role(ctx, json.role), n: json.left || 0, step: ctx.t(`step.${json.step}`) }),
      note: chance ? (table.isDrawn ? 'chance.about' : 'table.about') : 'turn.about',
      options: () => (chance ? cards(found) : byKind(found.rows, (row) => row.action.split(' ')[0], table.choice, MOST, () => ctx.t('more'))),
    };
  }

  return {
    words, place, log, look,
    level: 'standard',
    panels: { hint: advicePanel, risk: riskPanel, table: tablePanel, game: gamePanel },
    chance: 'cards',
    modes: ['drawn', 'table'],
    between: /[;,]/,
    act: (action) => go({ action }),
    history: (record, found) => new GameHistory(recordHead(record), ctx.game, eventsOf(found)),
    headOf: (read) => headOf(read.position),
    read: (position) => ctx.ask('read', { position }),
    home: (json) => json.pawn,
    beside: side.root,
  };
});
