// The coming phase: the chance of a new revolt in each province as a heat map and as a table, with exact fractions.
import { field, fill, h } from '../dom.js';
import { asking, chances, exact, percent } from '../parts.js';
import { place } from './words.js';

export function riskPanel(ctx, table) {
  const body = h('div', {});
  const decide = field(ctx.t('decide'), { value: 'decline', onchange: () => show() }, { decline: ctx.t('decide.decline'), eager: ctx.t('decide.eager') });
  const status = h('p', { class: 'note', role: 'status' });
  const { run, end } = asking(ctx, status);

  const show = () => run(async (signal) => {
    const { position } = table;
    decide.hidden = !/[+](\S*[+])?(imperium|barbaria)\b/.test(position.split(' ')[0]);
    fill(body);
    status.textContent = ctx.t('working');
    tell(position, await ctx.ask('risk', { position, seconds: 20, decide: decide.hidden ? undefined : decide.lastChild.value }, { signal }));
    status.textContent = '';
  });

  function tell(position, found) {
    const share = (row) => row.float ?? row.value ?? 0;
    const words = (row, plain) => (row.exact ? exact(ctx, row, plain) : `${percent(ctx, share(row))} (${ctx.t(`kind.${row.kind}`)})`);
    const rows = Object.entries(found.new_revolts).sort((a, b) => share(b[1]) - share(a[1]));
    const figures = Object.entries(found).filter(([name, row]) => row?.float !== undefined && ctx.has(`figure.${name}`));
    table.draw(position, { heat: Object.fromEntries(rows.map(([id, row]) => [id, [share(row), percent(ctx, share(row))]])) });
    fill(body,
      h('p', {}, h('span', { class: 'kind' }, ctx.t(`kind.${found.kind}`)), found.status === 'complete' ? '' : ` ${ctx.t('stopped')}`),
      chances(ctx, ctx.t('risk.figures'), '', figures.map(([name, row]) => [ctx.t(`figure.${name}`), words(row, name.startsWith('e_') || name === 'outcomes')])),
      chances(ctx, ctx.t('risk.revolts'), ctx.t('province'), rows.map(([id, row]) => [place(ctx, id), words(row)])));
    if (rows.length) ctx.announce(ctx.t('risk.most', { place: ctx.name(rows[0][0]), chance: percent(ctx, share(rows[0][1])) }));
  }

  return { root: h('div', {}, h('p', { class: 'note' }, ctx.t('risk.about')), decide, status, body), show, clear() {}, end };
}
