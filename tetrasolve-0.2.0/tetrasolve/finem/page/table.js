// The position as a table, for those who do not see the map, and for those who count.
import { fill, h } from '../dom.js';
import { heads, row, wide } from '../parts.js';
import { card, contents } from './words.js';

export function tablePanel(ctx, table) {
  const root = h('div', {});
  async function show() {
    const { position } = table;
    const { json, text } = await ctx.ask('read', { position });
    if (position !== table.position) return;
    const [places, links] = ctx.map(position);
    const beside = (id) => links.flatMap(([a, b]) => (a === id ? [b] : b === id ? [a] : [])).join(', ');
    fill(root,
      wide(ctx.t('table.regions'), h('table', {}, h('caption', {}, ctx.t('table.regions')),
        heads(...['region', 'table.holds', 'table.beside'].map((key) => ctx.t(key))),
        h('tbody', {}, Object.keys(places).map((id) => row(card(ctx, id), contents(ctx, json, id).join(', '), beside(id)))))),
      h('details', {}, h('summary', {}, ctx.t('notation')), h('pre', { tabindex: 0 }, text)));
  }
  return { root, show, clear() {} };
}
