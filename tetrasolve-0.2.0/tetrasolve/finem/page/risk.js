// The rest of the turn: which card loses as a heat map and as tables, with exact fractions.
import { field, fill, h } from '../dom.js';
import { asking, chances, exact, named, percent } from '../parts.js';
import { card, result, tribe } from './words.js';

const LONGEST = 20; // seconds

export function riskPanel(ctx, table) {
  const body = h('div', {});
  const policy = field(ctx.t('policy'), { onchange: () => show() }, named(ctx.game.policies, (name) => ctx.t(`policy.${name}`)));
  const status = h('p', { class: 'note', role: 'status' });
  const { run, end } = asking(ctx, status);

  const show = () => run(async (signal) => {
    const { position } = table;
    fill(body);
    status.textContent = ctx.t('working');
    tell(position, await ctx.ask('risk', { position, policy: policy.lastChild.value, seconds: LONGEST }, { signal }));
    status.textContent = '';
  });

  const part = (caption, head, rows) => chances(ctx, caption, head, rows.map(([name, value]) => [name, exact(ctx, value)]));

  function tell(position, found) {
    const cards = Object.entries(found.by_card).filter(([, row]) => row.float > 0);
    const most = Math.max(...cards.map(([, row]) => row.float));
    table.draw(position, { heat: Object.fromEntries(cards.map(([id, row]) => [id, [row.float / most, percent(ctx, row.float)]])) }, true);
    const track = (name) => part(ctx.t(name), ctx.t('place'), Object.entries(found[name]));
    const mean = Object.entries(found.in_region).filter(([, row]) => row.float > 0).sort((a, b) => b[1].float - a[1].float);
    fill(body, h('p', {}, h('span', { class: 'kind' }, ctx.t(found.status === 'exact' ? 'kind.exact' : 'kind.interval'))),
      part(ctx.t('risk.ends'), ctx.t('end'), [...Object.entries(found.ends).map(([end, row]) => [result(ctx, end), row]), [ctx.t('goes.on'), found.p_goes_on]]),
      found.unknown.float > 0 && h('p', {}, ctx.t('risk.unknown', { chance: exact(ctx, found.unknown) })),
      part(ctx.t('risk.cards'), ctx.t('region'), cards.map(([id, row]) => [card(ctx, id), row])) || h('p', {}, ctx.t('risk.none')),
      track('outbreaks'), track('decline'),
      part(ctx.t('pacified'), ctx.t('tribe'), Object.entries(found.pacified).map(([letter, row]) => [tribe(ctx, letter), row])),
      h('details', {}, h('summary', {}, ctx.t('risk.cubes')), h('table', {}, h('tbody', {}, mean.map(([id, row]) => h('tr', {}, h('th', { scope: 'row' }, card(ctx, id)), h('td', { class: 'number' }, row.float.toFixed(2))))))));
    ctx.announce(cards.length ? ctx.t('risk.most', { card: card(ctx, cards[0][0]), chance: percent(ctx, cards[0][1].float) }) : ctx.t('risk.none'));
  }

  return { root: h('div', {}, h('p', { class: 'note' }, ctx.t('risk.about')), policy, status, body), show, clear() {}, end };
}
