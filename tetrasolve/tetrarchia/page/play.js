// Playing: what is legal and what it costs, and dice, which the service rolls or a player types in.
import { button, h } from '../dom.js';
import { byKind, playing } from '../playing.js';
import { advicePanel } from './advice.js';
import { course } from './dice.js';
import { after, gathered } from './parts.js';
import { BARBARIANS, eventsOf, headOf, GameHistory } from './record.js';
import { riskPanel } from './risk.js';
import { gamePanel } from './setup.js';
import { tablePanel } from './table.js';
import * as words from './words.js';

const MOST = 6; // actions of one kind that are shown unfolded

export const mount = (root, ctx) => playing(root, ctx, (table) => {
  const asked = h('div');
  const cost = ({ ip }) => ctx.t('ip', { n: ip });
  const place = (id) => words.place(ctx, id);

  /** Carries an action out, with its dice. */
  async function act(text) {
    const position = table.position;
    const isAttack = /\battack\b/.test(text);
    const rolls = text === BARBARIANS || (isAttack && !/:\s*(victory|draw|defeat)/.test(text));
    if (isAttack && !rolls) {
      ctx.say(ctx.t('attack.stated'));
      return '';
    }
    const found = rolls ? await course(ctx, asked, { position, action: text, seed: table.isDrawn ? table.seed : undefined, onStep: (row) => row.position && table.board.show(row.position).catch(ctx.say) })
      : await after(ctx, position, text);
    if (!found) return '';
    table.game.add({ action: found.action || BARBARIANS, faces: found.faces, steps: found.steps, position: found.position, result: found.result });
    return found.action ? words.action(ctx, found.action) : ctx.t('phase');
  }

  const faces = (row) => (row.faces ? `${words.question(ctx, row.question)}: ${row.faces.join(' ')}` : `${ctx.name(row.decider)}: ${words.option(ctx, row.answer)}`);

  const log = ({ events, at }) => events.slice(0, at).map((row, number) => {
    const isPhase = row.action === BARBARIANS;
    const mover = !isPhase && (!number || events[number - 1].action === BARBARIANS) && row.position?.split(' ')[1][0]; // of the first action of a turn
    return h('li', { class: isPhase && 'phase' }, mover && h('strong', {}, `${ctx.name(ctx.game.emperors.find((one) => one.letter === mover).id)}: `),
      button(isPhase ? ctx.t('phase') : words.action(ctx, row.action), () => table.draw(row.position, {}), { class: 'line', disabled: !row.position }),
      row.faces?.length > 0 && h('span', { class: 'faces' }, ` ${row.faces.join(' ')}`),
      isPhase && row.changes?.length > 0 && h('p', { class: 'note' }, row.changes.join(' · ')),
      isPhase && row.steps && h('details', { open: number === at - 1 }, h('summary', {}, ctx.t('phase.dice')), h('ol', {}, row.steps.map((found) => h('li', {}, faces(found))))));
  }).reverse();

  async function look(position, over) {
    const seen = await ctx.ask('view', { position });
    const { json } = seen.read;
    const isPhase = json.phase === 'barbarian';
    const rows = over ? [] : gathered(seen.actions.actions).filter((row) => !row.payments?.length);
    return {
      json, rows, seen,
      title: ctx.t(isPhase ? 'title.phase' : 'title.turn', { name: ctx.name(json.to_move), ip: ctx.t('ip', { n: json.ip }) }),
      note: isPhase ? 'phase.about' : 'turn.about',
      options: () => (isPhase ? button(ctx.t('phase.roll'), () => table.playAll([BARBARIANS]), { class: 'primary' })
        : byKind(rows, (row) => row.kind, table.choice, MOST, (kind) => ctx.t(`kind.of.${kind}`))),
    };
  }

  return {
    words, place, act, log, look, asked,
    level: '4211',
    panels: { hint: advicePanel, risk: riskPanel, table: tablePanel, game: gamePanel },
    chance: 'dice',
    modes: ['roll', 'table'],
    between: ';',
    history: (record, found) => new GameHistory(record.match(/^[^]*?^start .*$/m)[0], ctx.game.emperors, eventsOf(found, (...both) => words.changes(ctx, ...both))),
    replay: { json: true }, // for the changes that a phase brought
    headOf: (read) => headOf(read.position, read.json.board),
    read: async (position) => (await ctx.ask('view', { position })).read,
    home: (json) => json.emperors[json.to_move],
    cost,
    more: (row) => [h('span', { class: 'ip' }, cost(row)), row.outcomes && h('span', { class: 'chances' }, row.outcomes.map((one) => `${ctx.t(`outcome.${one.outcome}`)} ${one.chance.exact}`).join(' · '))],
    // What a second click does is known when it comes
    ahead: (row) => row.outcomes || after(ctx, table.position, row.action).catch(() => {}),
  };
});
