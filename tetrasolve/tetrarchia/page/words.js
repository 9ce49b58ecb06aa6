// What the game's data mean in the language of the page.
import { words } from './parts.js';

/** An action in words; its notation where there are none. */
export function action(ctx, text) {
  const [, figure, rest] = text.match(/^(?:(\w+): )?(.*)$/);
  const [, kind, place = '', outcome] = rest.match(/^(\S+) ?([^:+]*?)(?:: (\w+))?(?: \+.*)?$/) || [];
  const key = `action.${kind}`;
  if (!ctx.has(key)) return text;
  const parts = place.split(/[ >]/);
  const deployed = kind === 'deploy';
  const where = kind === 'sail' ? '' : ctx.name(parts[deployed ? 1 : 0]);
  const words = ctx.t(key, { place: where, figure: deployed ? ctx.name(parts[0]) : '', from: parts[0], to: parts[1] });
  return (figure ? `${ctx.name(figure)}: ` : '') + words + (outcome ? ` (${ctx.t(`outcome.${outcome}`)})` : '');
}

/** What a die is rolled for, or what is to be decided. */
export function question(ctx, text) {
  const link = text.match(/^check (\w+)~(\w+)$/);
  if (link) return ctx.t('die.check', { a: ctx.name(link[1]), b: ctx.name(link[2]) });
  return text.split(', ').map((part) => (ctx.has(`die.${part}`) ? ctx.t(`die.${part}`) : part)).join(', ');
}

/** An option of a decision. */
export function option(ctx, text) {
  const [kind, place = ''] = text.split(':');
  return ctx.has(`option.${kind}`) ? ctx.t(`option.${kind}`, { place: words(ctx, place) }) : ctx.name(text);
}

/** What a decision is about: what was rolled, or what comes if nobody says otherwise. */
export function about(ctx, { form, dice = '', ...given }) {
  for (const key in given) given[key] = words(ctx, given[key]);
  return ctx.t(`asked.${form}`, { ...given, dice: question(ctx, dice) });
}

/** The rules of a position: level, modules and variants; then readings and house rules by their names in the notation. */
export const ruleset = (ctx, position) => position.split(' ')[0].split(/[+?,]/).map((name) => ctx.t([`module.${name}`, `variant.${name}`].find(ctx.has) || name)).join(', ');

/** A line for each province that differs between two positions in their JSON form. */
export function changes(ctx, before, after) {
  const lines = [];
  for (const id of Object.keys(ctx.game.provinces)) {
    const [a, b] = [before, after].map((found) => [found.discs[id], found.armies.includes(id) || found.goths === id || found.rebels?.armies?.[id]]);
    const place = ctx.name(id);
    if (a[0] !== b[0]) lines.push(ctx.t(b[0] ? 'change.disc' : 'change.free', { place, disc: disc(ctx, b[0] || a[0]) }));
    if (!a[1] !== !b[1]) lines.push(ctx.t(b[1] ? 'change.army' : 'change.left', { place }));
  }
  for (const { id } of ctx.game.emperors) {
    if (before.emperors[id] !== after.emperors[id]) lines.push(ctx.t('change.figure', { name: ctx.name(id), place: after.emperors[id] ? ctx.name(after.emperors[id]) : ctx.t('off') }));
  }
  return lines;
}

/** What lies in a province. */
export const disc = (ctx, kind) => ctx.t(kind === 'unrest' || kind === 'revolt' ? `disc.${kind}` : 'disc.garrison', { name: ctx.name(kind) });

/** Everything in a province, in words. */
export function contents(ctx, position, id) {
  const found = [];
  if (position.discs[id]) found.push(disc(ctx, position.discs[id]));
  if (position.goths === id) found.push(ctx.t('figure.goths'));
  else if (position.rebels?.armies?.[id] || position.armies.includes(id)) found.push(ctx.t('army'));
  for (const row of ctx.game.emperors) if (position.emperors[row.id] === id) found.push(ctx.name(row.id));
  for (const figure of ['dux', 'vicarius']) if (position[figure] === id) found.push(ctx.t(`figure.${figure}`));
  return found;
}

/** A province with its place on the map. */
export function place(ctx, id) {
  const row = ctx.game.provinces[id];
  const number = ['', 'I', 'II', 'III', 'IV', 'V', 'VI'][row.region];
  const where = row.border ? ctx.t('border') : row.number && `${number}:${row.number}`;
  return where ? `${row.name} (${where})` : row.name;
}

/** How a game ended. */
export function result(ctx, text) {
  if (text === 'open') return ctx.t('result.open');
  const [, how, why] = text.match(/^(won|fallen)[:,]?\s*(.*)$/) || [];
  return how ? ctx.t(`result.${how}`) + (why && ` (${ctx.has(`fall.${why}`) ? ctx.t(`fall.${why}`) : why})`) : text;
}
