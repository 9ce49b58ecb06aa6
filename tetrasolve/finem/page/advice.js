// Hints while one plays: the best plans as they are found, with reasons; and the best actions for an objective, exactly.
import { button, field, fill, h } from '../dom.js';
import { asking, comparison, differs, exact, named, percent } from '../parts.js';
import { action, route } from './words.js';

const TOP = 3;
const LONGEST = 30; // seconds of an exact plan

export function advicePanel(ctx, table) {
  const pairs = (list, key) => named(list, (name) => ctx.t(`${key}.${name}`));
  const budget = field(ctx.t('budget'), { value: ctx.state.budget || 'expectimax', onchange: (event) => ctx.set({ budget: event.target.value }, { silent: true }) }, pairs(ctx.game.budgets, 'budget'));
  const objective = field(ctx.t('objective'), {}, pairs(ctx.game.objectives, 'objective'));
  const status = h('p', { class: 'note' });
  const { run, stop, end } = asking(ctx, status);
  const plans = h('div', {});
  const best = h('div', {});
  const start = button(ctx.t('hint.ask'), () => run(hint), { class: 'primary' });
  const looked = new Set(); // plans that were opened
  const picked = new Set(); // plans that are compared
  let shown = [];

  async function hint(signal) {
    looked.clear();
    picked.clear();
    status.textContent = ctx.t('hint.begins');
    const body = { position: table.position, budget: budget.querySelector('select').value, top: TOP };
    const take = (found, isFinal) => {
      status.textContent = ctx.t(isFinal && found.status === 'complete' ? 'hint.complete' : 'hint.partial', { seconds: found.seconds.toFixed(1) });
      shown = found.plans.map((row) => ({ ...row, name: row.plan.join('; ') }));
      fill(plans, shown.map(entry));
      compare();
      table.draw(body.position, { steps: route(table.json, found.plans[0].plan) }, true);
      if (isFinal) ctx.announce(ctx.t('hint.best', { plan: found.plans[0].plan.map((text) => action(ctx, text)).join('; ') }));
    };
    take(await ctx.ask('hint', body, { signal, onPartial: (found) => take(found, false), onWait: () => { status.textContent = ctx.t('waiting'); } }), true);
  }

  /** The last two that are picked, side by side. */
  function compare() {
    const two = [...picked].map((name) => shown.find((row) => row.name === name)).filter(Boolean).slice(-2);
    const chance = (key) => [differs(ctx, ctx.t(`compare.${key}`), two[0].turn?.[key]?.exact !== two[1].turn?.[key]?.exact), ...two.map(({ turn }) => (turn?.[key] ? exact(ctx, turn[key]) : '–'))];
    fill(table.side, two.length === 2 ? comparison(ctx, two.map((row) => ctx.t('plan.number', { number: shown.indexOf(row) + 1 })), [
      [ctx.t('plan'), ...two.map(({ plan }) => h('code', {}, plan.map((text) => action(ctx, text)).join('; ')))],
      [ctx.t('win'), ...two.map(({ win }) => worth(win))], chance('p_lost'), chance('p_won'),
      [ctx.t('reasons'), ...two.map(({ reasons }) => why(reasons))],
    ]) : picked.size > 0 && h('p', { class: 'note' }, ctx.t('compare.one')));
  }

  const why = (reasons) => h('ul', { class: 'reasons' }, reasons.map((text) => h('li', {}, text)));

  function entry({ plan, win, turn, reasons, name }, number) {
    const box = h('details', { class: 'plan', open: number === 0 || looked.has(name), ontoggle: () => looked[box.open ? 'add' : 'delete'](name) },
      h('summary', {}, h('strong', {}, ctx.t('plan.number', { number: number + 1 })), ' · ', worth(win), h('code', {}, name)),
      steps(plan),
      turn?.p_lost && h('p', {}, ctx.t('turn.lost', { chance: exact(ctx, turn.p_lost) }), turn.p_won.float > 0 && ` ${ctx.t('turn.won', { chance: exact(ctx, turn.p_won) })}`),
      why(reasons),
      h('p', { class: 'row' }, button(ctx.t('plan.play'), () => table.playAll(plan)),
        field(ctx.t('compare.pick'), { type: 'checkbox', checked: picked.has(name), onchange: (event) => { picked[event.target.checked ? 'add' : 'delete'](name); compare(); } })));
    return box;
  }

  const steps = (plan) => h('ol', { class: 'steps' }, plan.map((text, number) => h('li', {},
    button(action(ctx, text), () => table.draw(table.position, { steps: route(table.json, plan.slice(0, number + 1)) }, true), { class: 'line' }))));

  const worth = (win) => h('span', { class: 'worth' }, h('strong', {}, percent(ctx, win.value)), ` (${win.interval.map((value) => percent(ctx, value)).join(' – ')}) `, h('span', { class: 'kind' }, ctx.t('kind.evaluation')));

  /** An exact number or an interval. */
  const number = (row) => (row.exact ? `${row.exact} ≈ ${row.float.toPrecision(4)}` : ctx.t('between', { low: row.low.exact ?? row.low, high: row.high.exact ?? row.high }));

  async function exactly(signal) {
    const { position } = table;
    status.textContent = ctx.t('hint.begins');
    const found = await ctx.ask('plan', { position, objective: objective.querySelector('select').value, seconds: LONGEST }, { signal });
    status.textContent = '';
    fill(best, h('p', {}, h('strong', {}, number(found.value)), ' ', h('span', { class: 'kind' }, ctx.t(found.status === 'exact' ? 'kind.proved' : 'kind.interval'))), steps(found.actions),
      h('p', {}, found.actions.length > 0 && button(ctx.t('plan.play'), () => table.playAll(found.actions))));
    table.draw(position, { steps: route(table.json, found.actions) }, true);
    ctx.announce(found.actions.map((text) => action(ctx, text)).join('; '));
  }

  return {
    root: h('div', {}, h('div', { class: 'row' }, budget, start, stop), status, plans,
      h('details', {}, h('summary', {}, ctx.t('exact.title')), h('p', { class: 'note' }, ctx.t('exact.about')),
        h('div', { class: 'row' }, objective, button(ctx.t('exact.ask'), () => run(exactly))), best)),
    show: () => {},
    /** The position is another one now. */
    clear() {
      end();
      status.textContent = '';
      fill(plans);
      fill(best);
      fill(table.side);
    },
    end,
  };
}
