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
    const { provinces, zones, links } = ctx.game;
    const ways = (id) => links.flatMap(([a, b, broken]) => (a === id || b === id ? [ctx.name(a === id ? b : a) + (broken ? ` (${ctx.t('broken')})` : '')] : [])).join(', ');
    const count = (kind) => Object.values(json.discs).filter((disc) => disc === kind).length;
    fill(root,
      h('table', {}, h('caption', {}, ctx.t('table.pieces')), h('tbody', {},
        ctx.game.emperors.map(({ id, name }) => row(name, `${json.emperors[id] ? place(ctx, json.emperors[id]) : ctx.t('off')} · ${ctx.t('garrisons', { n: count(id) })}`)),
        row(ctx.t('fleets.at'), json.fleets.map((zone) => `${zone} ${zones[zone - 1].name}`).join(', ')),
        row(ctx.t('counts'), ctx.t('counts.are', { revolts: count('revolt'), unrest: count('unrest'), armies: json.armies.length })))),
      h('details', { open: true }, h('summary', {}, ctx.t('notation')), h('pre', {}, text)),
      wide(ctx.t('table.provinces'), h('table', {}, h('caption', {}, ctx.t('table.provinces')),
        heads(...['province', 'table.holds', 'table.links'].map((key) => ctx.t(key))),
        h('tbody', {}, Object.keys(provinces).map((id) => row(place(ctx, id), contents(ctx, json, id).join(', ') || '–', ways(id)))))),
    );
  }
  return { root, show, clear() {} };
}
