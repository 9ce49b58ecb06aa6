// Small parts that views of every game have.
import { h, parsed } from './dom.js';

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
  const found = parsed(svg);
  found.setAttribute('role', 'img');
  found.setAttribute('aria-label', label);
  return found;
}

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

/** A file that the user chooses, as text. */
export function chooser(label, give, accept) {
  const input = h('input', { type: 'file', accept, class: 'sr', onchange: async () => { if (input.files[0]) give(await input.files[0].text()); input.value = ''; } });
  return h('label', { class: 'button' }, label, input);
}
