// The position as a table, for those who do not see the map, and for those who count.
import { fill, h } from '../dom.js';
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
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': ctx.t('table.regions') }, h('table', {}, h('caption', {}, ctx.t('table.regions')),
        h('thead', {}, h('tr', {}, ['region', 'table.holds', 'table.beside'].map((key) => h('th', { scope: 'col' }, ctx.t(key))))),
        h('tbody', {}, Object.keys(places).map((id) => h('tr', {}, h('th', { scope: 'row' }, card(ctx, id)), h('td', {}, contents(ctx, json, id).join(', ')), h('td', {}, beside(id))))))),
      h('details', {}, h('summary', {}, ctx.t('notation')), h('pre', { lang: 'en', tabindex: 0 }, text)));
  }
  return { root, show, clear: () => {} };
}
