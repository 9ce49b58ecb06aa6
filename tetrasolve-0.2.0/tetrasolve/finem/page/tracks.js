// The tracks beside the map: dice and cubes of each tribe, decline and outbreaks.
import { fill, h } from '../dom.js';
import { card, role, tribe } from './words.js';

const pips = (n, most) => h('span', { class: 'pips', 'aria-hidden': 'true' }, '●'.repeat(Math.min(n, most)) + '○'.repeat(Math.max(0, most - n)));

export function tracks(ctx) {
  const root = h('div', { class: 'tracks' });
  const line = (title, ...cells) => h('tr', {}, h('th', { scope: 'row' }, title), cells.map((found) => h('td', {}, found)));
  return {
    root,
    show(json, decline) {
      const on = (letter) => Object.values(json.cubes).reduce((sum, row) => sum + (row[letter] || 0), 0);
      const state = (letter) => (!json.dice[letter] ? ctx.t('eradicated') : json.pacified.includes(letter) ? ctx.t('pacified') : '–');
      fill(root,
        h('table', {}, h('caption', {}, ctx.t('tribes')),
          h('thead', {}, h('tr', {}, ['tribe', 'die', 'state', 'cubes.left'].map((key) => h('th', { scope: 'col' }, ctx.t(key))))),
          h('tbody', {}, ctx.game.tribes.map((letter) => line(`${tribe(ctx, letter)} (${letter})`, json.dice[letter] || '–', state(letter), ctx.game.cubes - on(letter))))),
        h('table', {}, h('caption', {}, ctx.t('tracks')), h('tbody', {},
          line(ctx.t('role'), role(ctx, json.role)),
          line(ctx.t('decline'), [`${json.decline} / ${decline} `, pips(json.decline, decline)]),
          line(ctx.t('outbreaks'), [`${json.outbreaks} / ${ctx.game.most_outbreaks} `, pips(json.outbreaks, ctx.game.most_outbreaks)]),
          line(ctx.t('mark.last'), card(ctx, json.last)), line(ctx.t('mark.start'), card(ctx, json.start)),
          json.hand?.length && line(ctx.t('hand'), json.hand.join(' ')),
          json.out?.length && line(ctx.t('out'), json.out.join(' ')),
          json.protected && line(ctx.t('mark.protected'), json.protected),
          json.is_quiet && line(ctx.t('quiet'), ctx.t('yes')))));
    },
  };
}
