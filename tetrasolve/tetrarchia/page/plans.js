// A plan of a turn as steps and branches that unfold, each drawn on the board.
import { button, fill, h } from '../dom.js';
import { comparison, differs, exact, percent } from '../parts.js';
import { turnRoute } from './parts.js';
import { action } from './words.js';

/** The branch that is most probable. */
const likely = (turn) => turn.branches.reduce((best, row) => (row.chance.float > best.chance.float ? row : best));

/** The element of a turn; `draw(position, overlay)` shows a position and arrows. */
export function turnTree(ctx, position, turn, draw) {
  const all = turnRoute(ctx, position, turn);
  const rows = [];
  const list = h('ol', { class: 'steps' });
  let before = position;
  turn.steps.forEach((step, number) => {
    const after = step.position;
    const line = button(action(ctx, step.action), () => pick(number), { class: 'line' });
    rows.push([line, after]);
    list.append(h('li', {}, line, ' ', h('span', { class: 'ip' }, ctx.t('ip', { n: step.ip }))));
    before = after;
  });
  function pick(number) {
    rows.forEach(([line], other) => line.setAttribute('aria-pressed', String(other === number)));
    draw(rows[number][1], { steps: all.slice(0, number + 1) });
    ctx.announce(`${number + 1}. ${rows[number][0].textContent}`);
  }
  const root = h('div', { class: 'turn' }, list);
  if (turn.attack) {
    const best = likely(turn);
    root.append(h('p', { class: 'fork' }, h('strong', {}, action(ctx, turn.attack)), ' ', turn.ip !== undefined && h('span', { class: 'ip' }, ctx.t('ip', { n: turn.ip }))),
      ...turn.branches.map((branch) => {
        const inside = h('div', {});
        const box = h('details', { open: branch === best && branch.then.steps.length > 0 },
          h('summary', {}, ctx.has(`outcome.${branch.shows}`) ? ctx.t(`outcome.${branch.shows}`) : branch.shows, ' ',
            h('span', { class: 'ip' }, exact(ctx, branch.chance))), inside);
        const build = () => {
          if (!box.open || inside.childNodes.length) return;
          const { then } = branch;
          fill(inside, then.steps.length || then.attack ? turnTree(ctx, before, then, draw)
            : h('p', {}, button(ctx.t('plan.after'), () => draw(then.position, { steps: all }), { class: 'line' })));
        };
        box.addEventListener('toggle', build);
        build();
        return box;
      }));
  }
  return root;
}

/** What a plan is worth, with its certainty in words. */
export const worth = (ctx, win) => h('span', { class: 'worth' }, h('strong', {}, percent(ctx, win.value)),
  win.interval && ` (${win.interval.map((value) => percent(ctx, value)).join(' – ')})`, ' ',
  h('span', { class: 'kind' }, ctx.t(win.calibration_games === 0 ? 'kind.uncalibrated' : `kind.${win.kind}`)));

export const reasons = (ctx, rows) => h('ul', { class: 'reasons' }, rows.map((row) => h('li', {}, row.text.replaceAll(' %', '\u00a0%'))));

/** Two plans side by side. */
export function compared(ctx, two, why = 'reasons') {
  const [first, second] = two;
  const names = Object.keys(first.phase || {}).filter((name) => name in (second.phase || {}));
  const cell = (plan, name) => {
    const found = plan.phase[name];
    return found.exact ? exact(ctx, found, name.startsWith('e_') || name === 'ip') : h('span', {}, JSON.stringify(found.value ?? found));
  };
  const isOther = (name) => JSON.stringify(first.phase[name]) !== JSON.stringify(second.phase[name]);
  return comparison(ctx, two.map((one) => one.title), [
    [ctx.t('plan'), ...two.map(({ plan }) => h('code', {}, plan || ctx.t('plan.nothing')))],
    [ctx.t('win'), ...two.map(({ win }) => worth(ctx, win))],
    ...names.map((name) => [differs(ctx, ctx.t(`figure.${name}`), isOther(name)), ...two.map((one) => cell(one, name))]),
    [ctx.t(why), ...two.map((one) => reasons(ctx, one.reasons))],
  ]);
}
