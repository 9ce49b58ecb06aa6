// Hints while one plays: the best plans as they are found, why not mine, two plans side by side.
import { button, field, fill, h } from '../dom.js';
import { comparison, reasons, turnTree, worth } from './plans.js';

const TOP = 3;

export function advicePanel(ctx, table) {
  const options = Object.fromEntries(ctx.game.budgets.map((name) => [name, ctx.t(`budget.${name}`)]));
  const budget = field(ctx.t('budget'), { value: ctx.state.budget || 'expectimax', onchange: (event) => ctx.set({ budget: event.target.value }, { silent: true }) }, options);
  const status = h('p', { class: 'note' });
  const plans = h('div', {});
  const beside = h('div', {});
  const mine = field(ctx.t('mine'), { rows: 2, spellcheck: 'false' });
  const start = button(ctx.t('hint.ask'), () => run(hint), { class: 'primary' });
  const stop = button(ctx.t('stop'), () => control?.abort(), { disabled: true });
  const picked = new Set();
  let control;
  let shown = [];

  /** One question at a time; the one before it is cancelled. */
  async function run(ask) {
    control?.abort();
    const own = new AbortController();
    control = own;
    stop.disabled = false;
    try {
      await ask(own.signal);
    } catch (error) {
      status.textContent = error.name === 'AbortError' ? ctx.t('stopped') : error.message;
    }
    if (control === own) stop.disabled = true;
  }

  async function hint(signal) {
    picked.clear();
    fill(beside);
    status.textContent = ctx.t('hint.begins');
    const body = { position: table.position, budget: budget.querySelector('select').value, top: TOP };
    let best = '';
    const take = (found, isFinal) => {
      status.textContent = ctx.t(isFinal && found.status === 'complete' ? 'hint.complete' : 'hint.partial', { seconds: found.seconds?.toFixed(1) ?? '' });
      const text = JSON.stringify(found.plans.map((row) => [row.plan, row.win]));
      if (text !== best) list(body.position, found.plans);
      if (found.plans[0] && (isFinal || !best)) ctx.announce(ctx.t('hint.best', { plan: found.plans[0].plan }));
      best = text;
    };
    take(await ctx.ask('hint', body, { signal, onPartial: (found) => take(found, false), onWait: () => { status.textContent = ctx.t('waiting'); } }), true);
  }

  function list(position, found) {
    const open = new Set(shown.filter((row) => row.box.open).map((row) => row.plan));
    shown = found.map((row, number) => {
      const title = ctx.t('plan.number', { number: number + 1 });
      const inside = h('div', {});
      const box = h('details', { class: 'plan', open: open.size ? open.has(row.plan) : number === 0 },
        h('summary', {}, h('strong', {}, title), ' · ', worth(ctx, row.win), h('code', {}, row.plan || ctx.t('plan.nothing'))), inside);
      const build = () => {
        if (!box.open || inside.childNodes.length) return;
        fill(inside, turnTree(ctx, position, row.turn, table.draw), reasons(ctx, row.reasons), h('p', { class: 'row' },
          button(ctx.t('plan.play'), () => table.playAll(row.turn.steps.map((step) => step.action), row.turn.attack)),
          h('label', { class: 'check' }, h('span', {}, ctx.t('compare.pick')), h('input', { type: 'checkbox', onchange: (event) => pick(row, title, event.target) }))));
      };
      box.addEventListener('toggle', build);
      build();
      return { plan: row.plan, box };
    });
    fill(plans, shown.map((row) => row.box));
    if (found[0]) table.draw(position, { steps: table.arrows(position, found[0].turn) }, true);
  }

  function pick(row, title, input) {
    const entry = [...picked].find((other) => other.plan === row.plan);
    if (entry) picked.delete(entry);
    if (input.checked) picked.add({ ...row, title });
    const two = [...picked].slice(-2);
    fill(beside, two.length === 2 ? comparison(ctx, two) : h('p', { class: 'note' }, picked.size ? ctx.t('compare.one') : ''));
  }

  async function why(signal) {
    const [position, own] = [table.turnStart, mine.querySelector('textarea').value.trim()];
    status.textContent = ctx.t('hint.begins');
    const found = await ctx.ask('hint', { position, compare: own, budget: budget.querySelector('select').value }, { signal });
    status.textContent = ctx.t(found.same ? 'why.same' : 'why.gap', { gap: `${(100 * found.gap.value).toFixed(1)}` });
    const lost = found.refutation;
    fill(beside, comparison(ctx, [{ ...found.mine, title: ctx.t('mine') }, { ...found.best, title: ctx.t('best') }]),
      lost?.where && h('p', {}, ctx.t(ctx.has(`refutation.${lost.kind}`) ? `refutation.${lost.kind}` : 'refutation', { place: ctx.name(lost.where), mine: lost.chance?.exact, best: lost.chance_after_best?.exact })),
      h('h3', {}, ctx.t('mine')), turnTree(ctx, position, found.mine.turn, table.draw), h('h3', {}, ctx.t('best')), turnTree(ctx, position, found.best.turn, table.draw));
    ctx.announce(status.textContent);
  }

  return {
    root: h('div', {}, h('div', { class: 'row' }, budget, start, stop), status, plans,
      h('details', {}, h('summary', {}, ctx.t('why.title')), h('p', { class: 'note' }, ctx.t('why.about')), mine,
        h('p', { class: 'row' }, button(ctx.t('why.played'), () => { mine.querySelector('textarea').value = table.played().join('; '); }),
          button(ctx.t('why.ask'), () => run(why)))), beside),
    show: () => {},
    /** The position is another one now. */
    clear() {
      control?.abort();
      shown = [];
      picked.clear();
      status.textContent = '';
      fill(plans);
      fill(beside);
    },
    end: () => control?.abort(),
  };
}
