// Review of a game: each decision with its value, its loss and the luck after it, and the map for one of them.
import { button, field, fill, h } from '../dom.js';
import { chooser, heads, once, percent, RECORDS, signed, wide } from '../parts.js';
import { action, basis, route } from './words.js';

const LONGEST = 60; // seconds of a question, the limit of a service by default

export async function mount(root, ctx) {
  root.classList.add('two');
  const { t } = ctx;
  const text = field(t('record'), { rows: 8, spellcheck: 'false', autocomplete: 'off', value: ctx.state.record || '' });
  const area = text.lastChild;
  const budget = field(t('budget'), { value: 'greedy' }, { greedy: t('budget.greedy'), expectimax: t('budget.expectimax') });
  const out = h('div', { class: 'whole' });
  const stop = new AbortController();

  const review = once(ctx, async () => {
    const record = area.value;
    ctx.set({ record }, { silent: true });
    fill(out, h('p', { role: 'status', class: 'soft' }, t('review.working')));
    try {
      const seen = await ctx.ask('replay', { record });
      if (!seen.verified) throw new Error(t('record.wrong', seen));
      draw(await ctx.ask('review', { record, budget: budget.lastChild.value, seconds: LONGEST }, { signal: stop.signal }));
    } catch (problem) {
      fill(out, h('p', { class: 'bad', role: 'alert' }, problem.message));
    }
  });

  function draw(found) {
    const board = ctx.board({});
    const detail = h('div', { class: 'panel detail' }, h('p', { class: 'soft' }, t('review.pick')));
    const words = (plan) => plan.map((one) => action(ctx, one)).join('; ');
    const pick = async (row) => {
      const { json } = await ctx.ask('read', { position: row.position });
      fill(detail, h('h2', {}, t('turn.number', { number: row.turn })), h('dl', {}, [['review.played', row.played], ['review.best', row.best]].flatMap(([key, plan]) => [h('dt', {}, t(key)),
        h('dd', {}, button(words(plan), () => board.overlay({ steps: route(json, plan) }), { class: 'line' }))])));
      await board.show(row.position);
      board.overlay({ steps: route(json, row.played) });
    };
    const line = (row) => h('tr', {}, h('th', { scope: 'row' }, button(t('turn.number', { number: row.turn }), () => pick(row).catch(ctx.say), { class: 'line' })), h('td', {}, t(`step.${row.step}`)),
      h('td', { class: 'number' }, percent(ctx, row.value)), h('td', { class: 'number' }, percent(ctx, row.loss)), h('td', { class: 'number' }, signed(ctx, row.luck)), h('td', {}, row.grade && t(`grade.${row.grade}`)));
    fill(out, h('p', { class: 'lead', tabindex: -1 }, t('review.sum', { loss: percent(ctx, found.loss), luck: signed(ctx, found.luck) }), ' ', h('span', { class: 'soft' }, t('kind.evaluation'))), basis(ctx, found.basis),
      h('div', { class: 'split' }, wide(t('review.decisions'), h('table', {}, h('caption', {}, t('review.decisions')),
        heads(...['turn', 'decision', 'value', 'loss', 'luck', 'grade'].map((key) => t(`review.${key}`))), h('tbody', {}, found.decisions.map(line)))),
      h('div', {}, board.root, detail)));
    if (found.decisions[0]) pick(found.decisions[0]).catch(ctx.say);
  }

  fill(root, h('div', { class: 'whole' }, h('h1', {}, t('view.review')), h('p', { class: 'lead' }, t('review.about')), text,
    h('p', { class: 'row' }, budget, button(t('review.ask'), review, { class: 'primary' }), chooser(t('record.file'), (found) => { area.value = found; }, RECORDS))), out);
  return () => stop.abort();
}
