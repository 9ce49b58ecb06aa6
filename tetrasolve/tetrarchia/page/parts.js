// Small parts that several views have.
import { h } from '../dom.js';

/** An action, a plan or an objective in words: names of provinces, and what the game calls things in this language. */
export const words = (ctx, text) => text.replace(/[a-z][a-z_-]*/g, (word) => ctx.game.provinces[word]?.name
  || (ctx.has(`word.${word}`) ? ctx.t(`word.${word}`) : word));

/** A number with its sign, in percent. */
export const signed = (ctx, share) => new Intl.NumberFormat(ctx.lang, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(share);

/** Options of a field: nothing chosen, then each value under its label. */
export const options = (none, rows) => ({ '': none, ...Object.fromEntries(rows) });

/** A link within the page that the history remembers. */
export const link = (ctx, changes, ...label) => h('a', {
  href: ctx.link(changes),
  onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ctx.set(changes, { push: true });
  },
}, ...label);

/** A picture of the service. */
export function picture(svg, label) {
  const found = document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true);
  found.setAttribute('role', 'img');
  found.setAttribute('aria-label', label);
  return found;
}

/** Provinces by name, as options. */
export const places = (ctx) => Object.entries(ctx.game.provinces).map(([id, row]) => [id, row.name]).sort((a, b) => a[1].localeCompare(b[1]));

/** Runs what a button begins; it cannot be pressed again until that has ended. */
export const once = (ctx, work) => async (event) => {
  const { currentTarget: pressed } = event;
  pressed.disabled = true;
  try {
    await work(event);
  } catch (problem) {
    ctx.say(problem);
  }
  pressed.disabled = false;
};

/** Arrows of a board for actions from a position: where the Emperor who moves goes, and what he does there. */
export function route(ctx, position, actions) {
  const [, mover, emperors] = position.split(' ');
  const code = emperors.split('/')[ctx.game.emperors.findIndex((row) => row.letter === mover[0])];
  let at = Object.keys(ctx.game.provinces).find((id) => ctx.game.provinces[id].code === code);
  const steps = [];
  actions.forEach((action, number) => {
    const [verb, id] = action.split(/[ :]+/);
    const to = id in ctx.game.provinces ? id : at;
    if (!to) return;
    steps.push([at || to, to, String(number + 1)]);
    if (verb === 'move' || verb === 'enter') at = to;
  });
  return steps;
}

/** The steps of a plan up to its first dice. */
export const opening = (plan) => plan.replace(/ \{.*/s, '').split('; ').filter((action) => action !== 'end');

/** A file that the user chooses, as text. */
export function chooser(label, give, accept) {
  const input = h('input', { type: 'file', accept, class: 'sr', onchange: async () => { if (input.files[0]) give(await input.files[0].text()); input.value = ''; } });
  return h('label', { class: 'button' }, label, input);
}
