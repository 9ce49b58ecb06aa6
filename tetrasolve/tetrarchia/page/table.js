// The position as a table, for those who do not see the board, and for those who count.
import { fill, h } from '../dom.js';
import { heads, row, wide } from '../parts.js';
import { contents, place } from './words.js';

export function tablePanel(ctx, table) {
  const root = h('div', {});
  async function show() {
    const { position } = table;
    const { read: { json, text } } = await ctx.ask('view', { position });
    if (position !== table.position) return;
    const { provinces, links } = ctx.game;
    const ways = (id) => links.flatMap(([a, b, broken]) => (a === id || b === id ? [ctx.name(a === id ? b : a) + (broken ? ` (${ctx.t('broken')})` : '')] : [])).join(', ');
    fill(root,
      h('table', {}, h('caption', {}, ctx.t('table.pieces')), h('tbody', {}, text.split('\n').slice(1).map((line) => row(...line.split(/ +(.*)/, 2))))),
      wide(ctx.t('table.provinces'), h('table', {}, h('caption', {}, ctx.t('table.provinces')),
        heads(...['province', 'table.holds', 'table.links'].map((key) => ctx.t(key))),
        h('tbody', {}, Object.keys(provinces).map((id) => row(place(ctx, id), contents(ctx, json, id).join(', ') || '–', ways(id)))))),
      h('details', {}, h('summary', {}, ctx.t('notation')), h('pre', {}, position)));
  }
  return { root, show, clear() {} };
}
