// The coming phase: the chance of a new revolt in each province as a heat map and as a table, with exact fractions.
import { field, fill, h } from '../dom.js';
import { exact, percent, place } from './words.js';

export function riskPanel(ctx, table) {
  const body = h('div', {});
  const decide = field(ctx.t('decide'), { value: 'decline', onchange: () => show() }, { decline: ctx.t('decide.decline'), eager: ctx.t('decide.eager') });
  let control;

  async function show() {
    control?.abort();
    control = new AbortController();
    const { position } = table;
    decide.hidden = !/[+](\S*[+])?(imperium|barbaria)\b/.test(position.split(' ')[0]);
    fill(body, h('p', { class: 'note' }, ctx.t('working')));
    try {
      const question = { position, seconds: 20, ...(decide.hidden ? {} : { decide: decide.querySelector('select').value }) };
      tell(position, await ctx.ask('risk', question, { signal: control.signal }));
    } catch (error) {
      if (error.name !== 'AbortError') fill(body, h('p', { class: 'problem' }, error.message));
    }
  }

  function tell(position, found) {
    const share = (row) => row.float ?? row.value ?? 0;
    const words = (row, plain) => (row.exact ? exact(ctx, row, plain) : `${percent(ctx, share(row))} (${ctx.t(`kind.${row.kind}`)})`);
    const rows = Object.entries(found.new_revolts).sort((a, b) => share(b[1]) - share(a[1]));
    const figures = Object.entries(found).filter(([name, row]) => row?.float !== undefined && ctx.has(`figure.${name}`));
    table.draw(position, { heat: Object.fromEntries(rows.map(([id, row]) => [id, [share(row), percent(ctx, share(row))]])) });
    fill(body,
      h('p', {}, h('span', { class: 'kind' }, ctx.t(`kind.${found.kind}`)), found.status === 'complete' ? '' : ` ${ctx.t('stopped')}`),
      h('table', {}, h('caption', {}, ctx.t('risk.figures')), h('tbody', {}, figures.map(([name, row]) => h('tr', {},
        h('th', { scope: 'row' }, ctx.t(`figure.${name}`)), h('td', { class: 'number' }, words(row, name.startsWith('e_') || name === 'outcomes')))))),
      h('table', {}, h('caption', {}, ctx.t('risk.revolts')), h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, ctx.t('province')), h('th', { scope: 'col', class: 'number' }, ctx.t('chance')))),
        h('tbody', {}, rows.map(([id, row]) => h('tr', {}, h('th', { scope: 'row' }, place(ctx, id)), h('td', { class: 'number' }, words(row)))))));
    if (rows.length) ctx.announce(ctx.t('risk.most', { place: ctx.name(rows[0][0]), chance: percent(ctx, share(rows[0][1])) }));
  }

  return { root: h('div', {}, h('p', { class: 'note' }, ctx.t('risk.about')), decide, body), show, clear: () => {}, end: () => control?.abort() };
}
