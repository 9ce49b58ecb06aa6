// Review of a game: a plot and a table of its turns, and for one turn what was played, what was best, and the board.
import { button, field, fill, h, s } from '../dom.js';
import { chooser, heads, once, percent, RECORDS, signed, wide } from '../parts.js';
import { opening, route, words } from './parts.js';
import { result } from './words.js';

const [WIDE, HIGH, LEFT, TOP, BOTTOM, STRIP] = [960, 300, 50, 12, 26, 60]; // of the plot; the strip below has the luck
const MARKS = { blunder: '??', mistake: '?', inaccuracy: '?!' };
const mark = (turn) => MARKS[Object.keys(MARKS).find((grade) => turn.decisions.some((row) => row.grade === grade))] || '';

export async function mount(root, ctx) {
  root.classList.add('two');
  const { t } = ctx;
  const text = field(t('record'), { rows: 8, spellcheck: 'false', autocomplete: 'off', value: ctx.state.record || '' });
  const area = text.lastChild;
  const budget = field(t('budget'), { value: 'expectimax' }, { greedy: t('budget.greedy'), expectimax: t('budget.expectimax') });
  const out = h('div', { class: 'whole' });
  const stop = new AbortController();
  let found;

  const use = (record) => { area.value = record; };
  const run = once(ctx, async () => {
    ctx.set({ record: area.value, turn: '' }, { silent: true });
    await review();
  });
  async function review() {
    found = undefined;
    const { record } = ctx.state;
    fill(out, h('p', { role: 'status', class: 'soft' }, t('review.working')));
    try {
      const seen = await ctx.ask('replay', { record });
      if (!seen.verified) throw new Error(t('review.broken', seen));
      found = await ctx.ask('review', { record, budget: budget.lastChild.value }, { signal: stop.signal, isJob: true });
    } catch (problem) {
      fill(out, h('p', { class: 'bad', role: 'alert' }, problem.message));
      return;
    }
    draw();
  }

  const turnOf = () => found.turns.find((row) => String(row.turn) === ctx.state.turn);
  const choose = (turn) => ctx.set({ turn: String(turn.turn) });

  function draw() {
    const chosen = found && turnOf();
    if (!found) return;
    const open = document.activeElement?.dataset?.turn;
    fill(out,
      h('p', { role: 'status' }, result(ctx, found.result), ' ', found.status === 'interrupted' && h('b', {}, t('review.interrupted'))),
      h('p', { class: 'soft' }, t('review.sums', { ...found.basis, loss: percent(ctx, found.loss), luck: signed(ctx, found.luck) }),
        Object.entries(found.ungraded || {}).map(([who, count]) => ` ${t('review.ungraded', { who: ctx.name(who), count })}`)),
      found.turns.length > 0 && [plot(ctx, found, chosen, choose), wide(t('review.table'), table(chosen)), chosen && detail(chosen)]);
    if (open) out.querySelector(`[data-turn="${open}"]`)?.focus();
  }

  const table = (chosen) => h('table', {}, h('caption', { class: 'sr' }, t('review.table')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('review.turn')), ['before', 'after', 'lost', 'luck'].map((name) => h('th', { scope: 'col', class: 'number' }, t(`review.${name}`))), h('th', { scope: 'col' }, t('review.mark')))),
    h('tbody', {}, found.turns.map((row) => h('tr', { class: row === chosen && 'current' },
      h('th', { scope: 'row' }, button(`${row.turn} ${ctx.name(row.emperor)}`, () => choose(row), { 'aria-pressed': String(row === chosen), 'data-turn': row.turn })),
      [percent(ctx, row.before), percent(ctx, row.after), percent(ctx, row.loss), signed(ctx, row.luck)].map((cell) => h('td', { class: 'number' }, cell)),
      h('td', {}, mark(row) && [h('b', {}, mark(row)), ' ', t(`review.${mark(row)}`)])))));

  function detail(turn) {
    const board = ctx.board({});
    const decisions = turn.decisions.map((row) => {
      const show = (actions) => async (event) => {
        for (const other of event?.currentTarget.closest('section').querySelectorAll('[aria-pressed]') || []) other.setAttribute('aria-pressed', String(other === event.currentTarget));
        await board.show(row.position);
        const steps = route(ctx, row.position, actions);
        board.overlay({ steps });
        if (steps.length) board.reveal(steps[0][1]);
      };
      const looks = { played: row.played, best: opening(row.best) };
      return { show: show(row.played), root: h('li', {}, h('dl', {},
        Object.entries({ played: row.played.join('; '), best: row.best }).map(([name, text]) => [h('dt', {}, button(t(`review.${name}`), once(ctx, show(looks[name])), { 'aria-pressed': 'false' })), h('dd', {}, words(ctx, text))]),
        h('dt', {}, t('review.lost')), h('dd', {}, percent(ctx, row.loss), row.grade && ` · ${t(`review.${MARKS[row.grade]}`)}`),
        h('dt', {}, t('review.luck')), h('dd', {}, signed(ctx, row.luck)))) };
    });
    const seen = h('section', { class: 'detail', 'aria-label': t('review.detail', { n: turn.turn }) },
      h('h2', {}, t('review.detail', { n: turn.turn }), ` · ${ctx.name(turn.emperor)}`),
      h('div', { class: 'split' }, board.root, h('div', { class: 'panel' }, h('p', { class: 'soft' }, t('review.boards')), h('ol', {}, decisions.map((row) => row.root)),
        h('p', {}, t('review.phase', { luck: signed(ctx, turn.phase_luck) })))));
    decisions[0]?.show().catch(ctx.say);
    return seen;
  }

  fill(root, h('div', { class: 'whole' }, h('h1', {}, t('view.review')), h('p', { class: 'lead' }, t('review.about')), text,
    h('p', { class: 'row' }, h('span', { class: 'inline' }, budget), button(t('review.run'), run, { class: 'primary' }),
      chooser(t('record.file'), use, RECORDS), button(t('review.sample'), () => use(ctx.game.sample))), out));
  const end = ctx.onState((state, changes) => { if ('turn' in changes || 'record' in changes) draw(); });
  if (ctx.state.record && ctx.state.turn) review().catch(ctx.say);
  return () => { end(); stop.abort(); };
}

/** The chance to win before each turn and after the last one, and below it the luck of each turn. */
function plot(ctx, found, chosen, choose) {
  const { turns } = found;
  const step = (WIDE - LEFT - 36) / turns.length;
  const x = (number) => LEFT + 20 + step * number;
  const y = (share) => TOP + (HIGH - TOP - BOTTOM) * (1 - share);
  const middle = HIGH + STRIP / 2;
  const most = Math.max(0.02, ...turns.map((row) => Math.abs(row.luck)));
  const points = [...turns.map((row, number) => [x(number), y(row.before)]), [x(turns.length), y(turns.at(-1).after)]];
  const every = Math.ceil(turns.length / 20);
  return h('figure', { class: 'plot' }, s('svg', { viewBox: `0 0 ${WIDE} ${HIGH + STRIP}`, role: 'img', 'aria-label': ctx.t('review.plot', { n: turns.length }) },
    [0, 0.25, 0.5, 0.75, 1].map((share) => [s('line', { class: 'grid', x1: LEFT, x2: WIDE - 8, y1: y(share), y2: y(share) }), s('text', { x: LEFT - 6, y: y(share) + 4, class: 'end' }, percent(ctx, share))]),
    chosen && s('rect', { class: 'band', x: x(turns.indexOf(chosen)) - Math.min(step, 30) / 2, width: Math.min(step, 30), y: TOP, height: HIGH + STRIP - TOP }),
    s('polyline', { points: points.map((point) => point.join(',')).join(' ') }),
    s('line', { class: 'grid', x1: LEFT, x2: WIDE - 8, y1: middle, y2: middle }), s('text', { x: LEFT - 6, y: middle + 4, class: 'end' }, ctx.t('review.luck')),
    turns.map((row, number) => {
      const tall = (Math.abs(row.luck) / most) * (STRIP / 2 - 3);
      const [px, py] = points[number];
      return s('g', { class: 'turn', onclick: () => choose(row) }, s('title', {}, `${row.turn} ${ctx.name(row.emperor)}: ${percent(ctx, row.before)}`),
        s('rect', { class: 'hold', x: px - step / 2, width: step, y: TOP, height: HIGH + STRIP - TOP }),
        s('rect', { class: row.luck < 0 ? 'ill' : 'well', x: px - Math.min(6, step / 3), width: Math.min(12, step / 1.5), y: row.luck < 0 ? middle : middle - tall, height: tall }),
        s('circle', { cx: px, cy: py, r: mark(row) ? 7 : 4, class: mark(row) ? 'marked' : '' }),
        mark(row) && s('text', { x: px, y: py < 40 ? py + 24 : py - 12, class: 'mid mark' }, mark(row)),
        number % every === 0 && s('text', { x: px, y: HIGH - 8, class: 'mid' }, row.turn));
    })), h('figcaption', { class: 'soft' }, ctx.t('review.caption')));
}
