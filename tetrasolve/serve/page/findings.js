// Findings of the linter: where two readings of the rules differ, each with a picture.
import { field, fill, h } from './dom.js';
import { link, options, picture } from './parts.js';

export async function mount(root, ctx) {
  root.classList.add('two');
  const { t, lang } = ctx;
  const { findings } = await ctx.ask('findings', {});
  const names = [...new Set(findings.map((row) => row.reading))];
  const isSpanish = lang === 'es';
  const title = (row) => (isSpanish && row.question.spanish) || row.question.english;
  const list = h('div');
  const one = h('section', { class: 'finding', 'aria-live': 'polite' });

  function drawList() {
    const chosen = findings.filter((row) => !names.includes(ctx.state.reading) || row.reading === ctx.state.reading);
    fill(list, h('p', { role: 'status' }, t('finding.count', { n: chosen.length })), h('ol', { class: 'cards' }, chosen.map((row) => h('li', {},
      link(ctx, { finding: row.id }, h('span', { class: 'meta' }, h('b', {}, row.reading), row.values.join(' / '), row.question.page && h('span', { class: 'soft' }, t('page', row.question))), h('span', { lang: isSpanish && !row.question.spanish ? 'en' : undefined }, title(row)))))));
  }
  async function drawOne(hasMoved) {
    const { finding } = ctx.state;
    if (!finding) return void one.replaceChildren();
    const row = await ctx.ask('finding', { finding });
    if (finding !== ctx.state.finding) return undefined;
    fill(one, h('p', {}, link(ctx, { finding: '' }, `← ${t('finding.back')}`)), h('h2', { tabindex: -1 }, row.reading), h('p', { class: 'question' }, title(row)),
      h('dl', { class: 'readings' }, row.values.map((value) => [h('dt', {}, h('code', {}, value)), h('dd', {}, row.question[isSpanish ? 'spanish_values' : 'english_values']?.[value] || value)])),
      h('p', {}, row.sentence), row.svg && h('figure', { class: 'both' }, picture(row.svg, t('finding.boards', { a: row.values[0], b: row.values[1] }))),
      row.position && h('p', {}, link(ctx, { view: 'play', position: row.position, record: '', finding: '' }, t('finding.play'))));
    if (hasMoved) one.querySelector('h2').focus();
    return undefined;
  }
  fill(root, h('div', { class: 'whole' }, h('h1', {}, t('view.findings')), h('p', { class: 'lead' }, t('finding.about')), one,
    field(t('finding.reading'), { value: names.includes(ctx.state.reading) ? ctx.state.reading : '', onchange: (event) => ctx.set({ reading: event.target.value, finding: '' }) }, options(t('finding.any'), names.map((name) => [name, name]))), list));
  drawList();
  await drawOne(false).catch(ctx.say);
  return ctx.onState((state, changes) => {
    if ('reading' in changes) drawList();
    if ('finding' in changes) drawOne(true).catch(ctx.say);
  });
}
