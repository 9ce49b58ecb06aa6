// Position editor: the pieces of this game, and what its modules add to a position.
import { h } from '../dom.js';
import { editing, toggle } from '../editing.js';
import { options } from '../parts.js';
import { contents, disc as named, place } from './words.js';

const DISCS = ['revolt', 'unrest'];
const FIGURES = ['dux', 'vicarius'];
const REBELS = ['dux', 'goths'];
/** What a module or variant adds to a position, as long as nothing is said of it. */
const ADDED = {
  dux: () => ({ dux: null }),
  vicarius: () => ({ vicarius: null }),
  pirates: () => ({ pirates: null }),
  goths: () => ({ goths: 'reserve' }),
  imperium: (ctx) => ({ removed: each(ctx) }),
  'roma-aeterna': (ctx) => ({ glory: each(ctx) }),
  barbaria: () => ({ barbarian_discs: { gray: 4, black: 1 } }),
};
const each = (ctx) => Object.fromEntries(ctx.game.emperors.map((row) => [row.id, 0]));

export function mount(root, ctx) {
  const { t, game } = ctx;
  const emperors = game.emperors.map((row) => row.id);

  function put(data, tool, id) {
    const [kind, who] = tool.split(' ');
    if (kind === 'emperor') data.emperors[who] = data.emperors[who] === id ? null : id;
    else if (kind === 'army') {
      data.armies = toggle(data.armies, id);
      if (data.rebels && !data.armies.includes(id)) delete data.rebels[id];
    } else if (kind === 'rebels') {
      data.rebels = { ...data.rebels };
      if (id in data.rebels) delete data.rebels[id];
      else data.rebels[id] = { figure: REBELS[0], fleet: 1 };
      data.armies = data.armies.filter((other) => other !== id).concat(id in data.rebels ? id : []);
      if (id in data.rebels) data.discs[id] = 'revolt';
    } else if (kind === 'erase') {
      delete data.discs[id];
      delete data.rebels?.[id];
      data.armies = data.armies.filter((other) => other !== id);
      for (const name of emperors) if (data.emperors[name] === id) data.emperors[name] = null;
      for (const figure of FIGURES) if (data[figure] === id) data[figure] = null;
      if (data.goths === id) data.goths = 'reserve';
    } else if (kind === 'figure') data[who] = data[who] === id ? (who === 'goths' ? 'reserve' : null) : id;
    else if (data.discs[id] === (who || kind)) delete data.discs[id];
    else data.discs[id] = who || kind;
    if (kind === 'figure' && who === 'goths') data.armies = data.armies.filter((other) => other !== id).concat(data.goths === id ? id : []);
    if (data.rebels && !Object.keys(data.rebels).length) delete data.rebels;
  }

  const tools = (data) => [['army', t('army')], ...emperors.map((who) => [`emperor ${who}`, ctx.name(who)]), ...DISCS.map((disc) => [disc, named(ctx, disc)]),
      ...emperors.map((who) => [`garrison ${who}`, named(ctx, who)]),
      ...[...FIGURES, 'goths'].filter((figure) => figure in data).map((figure) => [`figure ${figure}`, ctx.name(figure)]), ['rebels', t('editor.rebels')], ['erase', t('editor.erase')]];

  function fields(data, { number, box, pick, group, tools: drawTools }) {
    const rules = data.ruleset;
    const level = [rules.garrisons, rules.fleets, rules.revolts, rules.armies].join('');
    const levels = [...new Set([...game.levels, level])];
    const extend = (list, name) => (on) => {
      rules[list] = toggle(rules[list].filter((other) => other !== name), on ? name : undefined).filter(Boolean).sort();
      const more = ADDED[name]?.(ctx) || {};
      for (const key of Object.keys(more)) if (on) data[key] = more[key]; else delete data[key];
    };
    const counts = (key, names, label) => data[key] && group(t(`editor.${key}`), h('div', { class: 'row' }, names.map((name) => number(label(name), data[key][name] ?? 0, (n) => { data[key][name] = n; }))));
    return [
      group(t('editor.turn'),
        pick(t('editor.mover'), data.to_move, Object.fromEntries(emperors.map((who) => [who, ctx.name(who)])), (who) => { data.to_move = who; }),
        pick(t('editor.phase'), data.phase, { roman: t('phase.roman'), barbarian: t('phase.barbarian') }, (phase) => { data.phase = phase; }),
        number(t('editor.ip'), data.ip, (n) => { data.ip = n; }),
        (FIGURES.some((figure) => figure in data) || 'removed' in data) && pick(t('editor.passing'), data.passing, options(t('editor.nobody'), [...emperors, ...FIGURES.filter((figure) => figure in data)].map((who) => [who, ctx.name(who)])),
          (who) => { if (who) data.passing = who; else delete data.passing; }),
        'removed' in data && box(t('editor.power'), data.power === true, (on) => { if (on) data.power = true; else delete data.power; })),
      group(t('fleets.at'), game.zones.map((zone, index) => box(zone.name, data.fleets.includes(index + 1), () => { data.fleets = toggle(data.fleets, index + 1).sort(); }))),
      group(t('editor.rules'), pick(t('level'), level, Object.fromEntries(levels.map((name) => [name, name])), (name) => { [rules.garrisons, rules.fleets, rules.revolts, rules.armies] = [...name].map(Number); }),
        h('div', { class: 'checks' }, ['module', 'variant'].flatMap((list) => game[`${list}s`].map((name) => box(t(`${list}.${name}`), rules[`${list}s`].includes(name), (on) => { extend(`${list}s`, name)(on); drawTools(); }))))),
      FIGURES.filter((figure) => figure in data).map((figure) => box(t('editor.dead', { name: ctx.name(figure) }), data[figure] === 'dead', (on) => { data[figure] = on ? 'dead' : null; })),
      'pirates' in data && pick(ctx.name('pirates'), data.pirates, options(t('editor.beaten'), game.zones.map((zone, index) => [String(index + 1), zone.name])), (zone) => { data.pirates = Number(zone) || null; }),
      counts('removed', emperors, ctx.name), counts('glory', emperors, ctx.name), counts('barbarian_discs', ['gray', 'black'], (name) => t(`editor.${name}`)),
      Object.entries(data.rebels || {}).map(([id, rebel]) => group(`${t('editor.rebels')}: ${ctx.name(id)}`,
        pick(t('editor.figure'), rebel.figure, Object.fromEntries(REBELS.map((name) => [name, ctx.name(name)])), (name) => { rebel.figure = name; }),
        pick(t('editor.fleet'), String(rebel.fleet), Object.fromEntries(game.zones.map((zone, index) => [String(index + 1), zone.name])), (zone) => { rebel.fleet = Number(zone); })))];
  }

  return editing(root, ctx, {
    put, tools, fields,
    empty: game.empty,
    first: game.examples.fight,
    label: (id, data) => `${place(ctx, id)}: ${(data && contents(ctx, data, id).join(', ')) || t('editor.nothing')}`,
    look: async (position) => {
      const seen = await ctx.ask('view', { position });
      return { read: seen.read, seen };
    },
  });
}
