// The tracks beside the map: dice and cubes of each tribe, decline and outbreaks.
import { fill, h } from '../dom.js';
import { heads, row } from '../parts.js';
import { card, role, tribe } from './words.js';

const pips = (n, most) => h('span', { class: 'pips', 'aria-hidden': 'true' }, '●'.repeat(Math.min(n, most)) + '○'.repeat(Math.max(0, most - n)));

export function tracks(ctx) {
  const root = h('div', { class: 'tracks' });
  return {
    root,
    show(json, decline) {
      const on = (letter) => Object.values(json.cubes).reduce((sum, cubes) => sum + (cubes[letter] || 0), 0);
      const state = (letter) => (!json.dice[letter] ? ctx.t('eradicated') : json.pacified.includes(letter) ? ctx.t('pacified') : '–');
      fill(root,
        h('table', {}, h('caption', {}, ctx.t('tribes')),
          heads(...['tribe', 'die', 'state', 'cubes.left'].map((key) => ctx.t(key))),
          h('tbody', {}, ctx.game.tribes.map((letter) => row(`${tribe(ctx, letter)} (${letter})`, json.dice[letter] || '–', state(letter), ctx.game.cubes - on(letter))))),
        h('table', {}, h('caption', {}, ctx.t('tracks')), h('tbody', {},
          row(ctx.t('role'), role(ctx, json.role)),
          json.has_travel && row(ctx.t('travels'), ctx.t('yes')),
          row(ctx.t('decline'), [`${json.decline} / ${decline} `, pips(json.decline, decline)]),
          row(ctx.t('outbreaks'), [`${json.outbreaks} / ${ctx.game.most_outbreaks} `, pips(json.outbreaks, ctx.game.most_outbreaks)]),
          row(ctx.t('mark.last'), card(ctx, json.last)), row(ctx.t('mark.start'), card(ctx, json.start)),
          json.hand?.length && row(ctx.t('hand'), json.hand.join(' ')),
          json.out?.length && row(ctx.t('out'), json.out.join(' ')),
          json.protected && row(ctx.t('mark.protected'), json.protected),
          json.is_quiet && row(ctx.t('quiet'), ctx.t('yes')))));
    },
  };
}
