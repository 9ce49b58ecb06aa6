// Hints while one plays: the best plans as they are found, why not mine, two plans side by side.
import { button, field, fill, h } from '../dom.js';
import { asking, named } from '../parts.js';
import { advised } from './dice.js';
import { turnRoute } from './parts.js';
import { compared, reasons, turnTree, worth } from './plans.js';

const TOP = 3;

export function advicePanel(ctx, table) {
  const budget = field(ctx.t('budget'), { value: ctx.state.budget || 'expectimax', onchange: (event) => ctx.set({ budget: event.target.value }, { silent: true }) }, named(ctx.game.budgets, (name) => ctx.t(`budget.${name}`)));
  const status = h('p', { class: 'note' });
  const { run, stop, end } = asking(ctx, status);
  const plans = h('div', {});
  const beside = table.side;
  const mine = field(ctx.t('mine'), { rows: 2, spellcheck: 'false' });
  const asks = h('p', { class: 'row' }, button(ctx.t('why.played'), () => { mine.lastChild.value = table.game.played.join('; '); }),
    button(ctx.t('why.ask'), () => run(why)));
  const start = button(ctx.t('hint.ask'), () => run(hint), { class: 'primary' });
  const picked = new Set();
  let shown = [];

  async function hint(signal) {
    plans.before(status);
    picked.clear();
    shown = [];
    fill(beside);
    status.textContent = ctx.t('hint.begins');
    const body = { position: table.position, budget: budget.lastChild.value, top: TOP };
    let best = '';
    const take = (found, isFinal) => {
      if (found.options) { // of a choice with which a phase begins
        status.textContent = '';
        fill(plans, advised(ctx, found));
        return;
      }
      status.textContent = ctx.t(isFinal && found.status === 'complete' ? 'hint.complete' : 'hint.partial', { ...found.basis, seconds: found.seconds.toLocaleString(ctx.lang, { maximumFractionDigits: 1 }) });
      const text = JSON.stringify(found.plans.map((row) => [row.plan, row.win]));
      if (text !== best) list(body.position, found.plans);
      if (found.plans[0] && (isFinal || !best)) ctx.announce(ctx.t('hint.best', { plan: found.plans[0].plan }));
      best = text;
    };
    take(await ctx.ask('hint', body, { signal, onPartial: (found) => take(found, false), onWait: () => { status.textContent = ctx.t('waiting'); } }), true);
  }

  /** Shows plans; those that were there stay the same elements, so that nobody loses what he has opened. */
  function list(position, found) {
    const before = shown;
    shown = found.map((row, number) => {
      const entry = before.find((other) => other.plan === row.plan) || made(position, row, !number && !before.some(({ plan, box }) => box.open && found.some((other) => other.plan === plan)));
      entry.row = row;
      fill(entry.head, h('strong', {}, ctx.t('plan.number', { number: number + 1 })), ' · ', worth(ctx, row.win));
      fill(entry.why, reasons(ctx, row.reasons));
      return entry;
    });
    if (shown.some((entry, number) => plans.children[number] !== entry.box) || plans.children.length !== shown.length) fill(plans, shown.map((entry) => entry.box));
    if (found[0]) table.draw(position, { steps: turnRoute(ctx, position, found[0].turn) }, true);
  }

  function made(position, { plan, turn }, open) {
    const entry = { plan, head: h('span', {}), why: h('div', {}) };
    const inside = h('div', {});
    entry.box = h('details', { class: 'plan', open }, h('summary', {}, entry.head, h('code', {}, plan || ctx.t('plan.nothing'))), inside);
    const build = () => {
      if (!entry.box.open || inside.childNodes.length) return;
      fill(inside, turnTree(ctx, position, turn, table.draw), entry.why, h('p', { class: 'row' },
        button(ctx.t('plan.play'), () => table.playAll([...turn.steps.map((step) => step.action), turn.attack || ''])),
        h('label', { class: 'check' }, h('span', {}, ctx.t('compare.pick')), h('input', { type: 'checkbox', onchange: (event) => pick(entry, event.target.checked) }))));
    };
    entry.box.addEventListener('toggle', build);
    build();
    return entry;
  }

  function pick(entry, isPicked) {
    picked[isPicked ? 'add' : 'delete'](entry);
    const two = [...picked].slice(-2).map(({ row }) => ({ ...row, title: ctx.t('plan.number', { number: shown.findIndex((other) => other.plan === row.plan) + 1 }) }));
    fill(beside, two.length === 2 ? compared(ctx, two) : h('p', { class: 'note' }, picked.size ? ctx.t('compare.one') : ''));
    if (two.length === 2) look(ctx.t('compare.title'));
  }

  async function why(signal) {
    asks.after(status);
    const [position, own] = [table.game.turnStart, mine.lastChild.value.trim()];
    status.textContent = ctx.t('hint.begins');
    const found = await ctx.ask('hint', { position, compare: own, budget: budget.lastChild.value }, { signal });
    status.textContent = ctx.t(found.same ? 'why.same' : 'why.gap', { gap: (100 * found.gap.value).toFixed(1) });
    const lost = found.refutation;
    fill(beside, compared(ctx, [{ ...found.mine, title: ctx.t('mine') }, { ...found.best, title: ctx.t('best') }], 'why.gives'),
      lost?.where && h('p', {}, ctx.t(ctx.has(`refutation.${lost.kind}`) ? `refutation.${lost.kind}` : 'refutation', { place: ctx.name(lost.where), mine: lost.chance?.exact, best: lost.chance_after_best?.exact })),
      h('h2', {}, ctx.t('mine')), turnTree(ctx, position, found.mine.turn, table.draw), h('h2', {}, ctx.t('best')), turnTree(ctx, position, found.best.turn, table.draw));
    look(status.textContent);
  }

  /** What is beside the plans is below the board. */
  function look(text) {
    beside.scrollIntoView({ block: 'nearest' });
    ctx.announce(text);
  }

  return {
    root: h('div', {}, h('div', { class: 'row' }, budget, start, stop), status, plans,
      h('details', {}, h('summary', {}, ctx.t('why.title')), h('p', { class: 'note' }, ctx.t('why.about')), mine, asks)),
    show: () => {},
    /** The position is another one now. */
    clear() {
      end();
      shown = [];
      picked.clear();
      status.textContent = '';
      fill(plans);
      fill(beside);
    },
    end,
  };
}
