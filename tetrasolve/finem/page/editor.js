// Position editor: cubes of the tribes, the pawn, marks and cards on the map; dice, tracks and the step of the turn as fields.
import { editing, toggle } from '../editing.js';
import { named, options } from '../parts.js';
import { card, contents, role, tribe } from './words.js';

const MOST = 4; // cubes that a tool puts on a card, one more than there can be
const MARKS = ['pawn', 'last', 'start', 'protected']; // one card each
const CARDS = ['out', 'hand']; // lists of cards
const SIGNS = ['is_quiet', 'has_exchanged', 'has_travel'];

export function mount(root, ctx) {
  const { t, game } = ctx;

  function put(data, tool, id) {
    const [kind, letter] = tool.split(' ');
    if (kind === 'cube') {
      const here = { ...data.cubes[id] };
      here[letter] = ((here[letter] || 0) + 1) % (MOST + 1);
      if (!here[letter]) delete here[letter];
      data.cubes[id] = here;
    } else if (kind === 'erase') delete data.cubes[id];
    else if (CARDS.includes(kind)) data[kind] = toggle(data[kind] || [], id);
    else if (kind === 'protected' && data.protected === id) delete data.protected;
    else data[kind] = id;
  }

  const tools = () => [...game.tribes.map((letter) => [`cube ${letter}`, t('editor.cube', { tribe: tribe(ctx, letter) })]), ...MARKS.map((name) => [name, t(`mark.${name}`)]),
    ...CARDS.map((name) => [name, t(name)]), ['erase', t('editor.erase')]];

  function fields(data, { number, box, pick, group }) {
    const rules = data.ruleset;
    const less = (name, value) => { if (value) data[name] = value; else delete data[name]; };
    const set = (name) => (value) => { data[name] = value; };
    return [
      group(t('editor.turn'), pick(t('role'), data.role, options(role(ctx), game.roles.map((name) => [name, role(ctx, name)])), (name) => { data.role = name || null; }),
        pick(t('editor.phase'), data.step, named(Object.keys(game.phases), (name) => t(`step.${name}`)), set('step')),
        number(t('editor.left'), data.left || 0, (n) => less('left', n)),
        pick(t('editor.card'), data.card, options(t('editor.none'), Object.keys(ctx.map()[0]).map((id) => [id, card(ctx, id)])), (id) => less('card', id)),
        SIGNS.map((name) => box(t(`editor.${name}`), Boolean(data[name]), (on) => less(name, on)))),
      group(t('tribes'), game.tribes.map((letter) => [number(`${t('die')}: ${tribe(ctx, letter)}`, data.dice[letter], (n) => { data.dice[letter] = n; }),
        box(`${t('pacified')}: ${tribe(ctx, letter)}`, data.pacified.includes(letter), () => { data.pacified = toggle(data.pacified, letter); })])),
      group(t('tracks'), number(t('decline'), data.decline, set('decline')), number(t('outbreaks'), data.outbreaks, set('outbreaks'))),
      group(t('editor.rules'), pick(t('level'), rules.level, named(game.levels, (name) => t(`level.${name}`)), (name) => { rules.level = name; }),
        game.options.map((name) => box(t(`option.${name}`), rules.options.includes(name), () => { rules.options = toggle(rules.options, name).sort(); }))),
    ];
  }

  return editing(root, ctx, {
    put, tools, fields,
    empty: game.empty,
    first: game.examples.peril || game.empty,
    label: (id, data) => [card(ctx, id), data ? contents(ctx, data, id).join(', ') : t('editor.nothing')].join(': '),
    look: async (position) => ({ read: await ctx.ask('read', { position }) }),
  });
}
