// Hints while one plays: the best plans as they are found, with reasons; why not mine; and the best actions for an objective, exactly.
import { button, field, fill, h } from '../dom.js';
import { asking, comparison, differs, exact, named, percent } from '../parts.js';
import { action, basis, card, route } from './words.js';

const TOP = 3;
const LONGEST = 30; // seconds of an exact plan

/** What arrows of a plan for a position begin with. */
const from = (position) => ({ pawn: position.split(' ')[2].split('/')[0] });

export function advicePanel(ctx, table) {
  const pairs = (list, key) => named(list, (name) => ctx.t(`${key}.${name}`));
  const budget = field(ctx.t('budget'), { value: ctx.state.budget || 'expectimax', onchange: (event) => ctx.set({ budget: event.target.value }, { silent: true }) }, pairs(ctx.game.budgets, 'budget'));
  const objective = field(ctx.t('objective'), {}, pairs(ctx.game.objectives, 'objective'));
  const status = h('p', { class: 'note' });
  const { run, stop, end } = asking(ctx, status);
  const plans = h('div', {});
  const best = h('div', {});
  const mine = field(ctx.t('mine'), { rows: 2, spellcheck: 'false' });
  const asks = h('p', { class: 'row' }, button(ctx.t('why.played'), () => { mine.querySelector('textarea').value = table.game.decided.join('; '); }),
    button(ctx.t('why.ask'), () => run(why)));
  const start = button(ctx.t('hint.ask'), () => run(hint), { class: 'primary' });
  const looked = new Set(); // plans that were opened
  const picked = new Set(); // plans that are compared
  let shown = [];

  async function hint(signal) {
    plans.before(status);
    looked.clear();
    picked.clear();
    status.textContent = ctx.t('hint.begins');
    const body = { position: table.position, budget: budget.querySelector('select').value, top: TOP };
    const take = (found, isFinal) => {
      status.textContent = ctx.t(isFinal && found.status === 'complete' ? 'hint.complete' : 'hint.partial', { seconds: found.seconds.toFixed(1) });
      shown = found.plans.map((row) => ({ ...row, name: row.plan.join('; ') }));
      fill(plans, basis(ctx, found.basis), shown.map(entry));
      compare();
      table.draw(body.position, { steps: route(from(body.position), found.plans[0].plan) }, true);
      if (isFinal) ctx.announce(ctx.t('hint.best', { plan: found.plans[0].plan.map((text) => action(ctx, text)).join('; ') }));
    };
    take(await ctx.ask('hint', body, { signal, onPartial: (found) => take(found, false), onWait: () => { status.textContent = ctx.t('waiting'); } }), true);
  }

  /** The last two that are picked, side by side. */
  function compare() {
    const two = [...picked].map((name) => shown.find((row) => row.name === name)).filter(Boolean).slice(-2);
    fill(table.side, two.length === 2 ? beside(two, two.map((one) => ctx.t('plan.number', { number: shown.indexOf(one) + 1 })))
      : picked.size > 0 && h('p', { class: 'note' }, ctx.t('compare.one')));
  }

  function beside(two, titles) {
    const chance = (key) => [differs(ctx, ctx.t(`compare.${key}`), two[0].turn?.[key]?.exact !== two[1].turn?.[key]?.exact), ...two.map(({ turn }) => (turn?.[key] ? exact(ctx, turn[key]) : '–'))];
    return comparison(ctx, titles, [
      [ctx.t('plan'), ...two.map(({ plan }) => h('code', {}, plan.map((text) => action(ctx, text)).join('; ')))],
      [ctx.t('win'), ...two.map(({ win }) => worth(win))], chance('p_lost'), chance('p_won'),
      [ctx.t('reasons'), ...two.map(({ reasons }) => because(reasons))],
    ]);
  }

  /** A plan that was typed beside the best one, from the last decisions on. */
  async function why(signal) {
    asks.after(status);
    const position = table.game.decision;
    status.textContent = ctx.t('hint.begins');
    const found = await ctx.ask('hint', { position, compare: mine.querySelector('textarea').value, budget: budget.querySelector('select').value }, { signal });
    status.textContent = ctx.t(found.same ? 'why.same' : 'why.gap', { gap: new Intl.NumberFormat(ctx.lang, { maximumFractionDigits: 1 }).format(100 * found.gap.value) });
    const two = found.same ? [['mine', found.mine]] : [['mine', found.mine], ['best', found.best]];
    const lost = found.refutation;
    fill(table.side, basis(ctx, found.basis), !found.same && beside([found.mine, found.best], [ctx.t('mine'), ctx.t('best')]),
      lost && h('p', {}, ctx.t('refutation', { card: card(ctx, lost.card), mine: exact(ctx, lost.mine), best: exact(ctx, lost.best) })),
      two.map(([name, { plan }]) => [h('h2', {}, ctx.t(name)), steps(plan, position)]));
    table.side.scrollIntoView({ block: 'nearest' });
    ctx.announce(status.textContent);
  }

  const because = (reasons) => h('ul', { class: 'reasons' }, reasons.map((text) => h('li', {}, text)));

  function entry({ plan, win, turn, reasons, name }, number) {
    const box = h('details', { class: 'plan', open: number === 0 || looked.has(name), ontoggle: () => looked[box.open ? 'add' : 'delete'](name) },
      h('summary', {}, h('strong', {}, ctx.t('plan.number', { number: number + 1 })), ' · ', worth(win), h('code', {}, name)),
      steps(plan),
      turn?.p_lost && h('p', {}, ctx.t('turn.lost', { chance: exact(ctx, turn.p_lost) }), turn.p_won.float > 0 && ` ${ctx.t('turn.won', { chance: exact(ctx, turn.p_won) })}`),
      because(reasons),
      h('p', { class: 'row' }, button(ctx.t('plan.play'), () => table.playAll(plan)),
        field(ctx.t('compare.pick'), { type: 'checkbox', checked: picked.has(name), onchange: (event) => { picked[event.target.checked ? 'add' : 'delete'](name); compare(); } })));
    return box;
  }

  const steps = (plan, position = table.position) => h('ol', { class: 'steps' }, plan.map((text, number) => h('li', {},
    button(action(ctx, text), () => table.draw(position, { steps: route(from(position), plan.slice(0, number + 1)) }, position === table.position), { class: 'line' }))));

  const worth = ({ value, interval, calibration_games: games }) => h('span', { class: 'worth' }, h('strong', {}, percent(ctx, value)), games > 0 && ` (${interval.map((end) => percent(ctx, end)).join(' – ')})`, ' ',
    h('span', { class: 'kind' }, ctx.t(interval[0] === interval[1] ? 'kind.certain' : 'kind.evaluation')));

  /** An exact number or an interval. */
  const number = (row) => (row.exact ? `${row.exact} ≈ ${row.float.toPrecision(4)}` : ctx.t('between', { low: row.low.exact ?? row.low, high: row.high.exact ?? row.high }));

  async function exactly(signal) {
    best.before(status);
    const { position } = table;
    status.textContent = ctx.t('hint.begins');
    const found = await ctx.ask('plan', { position, objective: objective.querySelector('select').value, seconds: LONGEST }, { signal });
    status.textContent = '';
    fill(best, h('p', {}, h('strong', {}, number(found.value)), ' ', h('span', { class: 'kind' }, ctx.t(found.status === 'exact' ? 'kind.proved' : 'kind.interval'))), steps(found.actions),
      h('p', {}, found.actions.length > 0 && button(ctx.t('plan.play'), () => table.playAll(found.actions))));
    table.draw(position, { steps: route(from(position), found.actions) }, true);
    ctx.announce(found.actions.map((text) => action(ctx, text)).join('; '));
  }

  return {
    root: h('div', {}, h('div', { class: 'row' }, budget, start, stop), status, plans,
      h('details', {}, h('summary', {}, ctx.t('why.title')), h('p', { class: 'note' }, ctx.t('why.about')), mine, asks),
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
