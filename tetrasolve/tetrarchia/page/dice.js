// A phase or an attack, with dice of the service or of a real table, and decisions of the players.
import { button, field, fill, h } from '../dom.js';
import { once, percent } from '../parts.js';
import { BARBARIANS } from './record.js';
import { about, option, question } from './words.js';

const FACES = [1, 2, 3, 4, 5, 6];

/** Plays it; resolves to the answer of `course` in its end, or to nothing where the player takes it back. `root` shows what is asked. */
export async function course(ctx, root, { position, action, seed, onStep = () => {} }) {
  const go = (faces) => ctx.ask('course', { position, action, faces, seed });
  const past = [];
  let found = await go([]);
  while (found?.next) {
    onStep(found);
    const more = await answer(ctx, root, found.next, action === BARBARIANS && { position, faces: found.faces });
    if (more) {
      try {
        const then = await go([...found.faces, ...more]);
        past.push(found);
        found = then;
      } catch (problem) {
        ctx.say(problem); // the same question again
      }
    } else found = past.pop();
  }
  fill(root);
  return found;
}

/** What the evaluation says of the options of a choice, the best for its decider first. */
export const advised = (ctx, found) => [h('ol', {}, found.options.map((row) => h('li', {}, option(ctx, row.option), ' · ', percent(ctx, row.value)))),
  h('p', { class: 'note' }, ctx.t('choice.about', { ...found, ...found.basis }))];

function answer(ctx, root, asked, subject) {
  const best = h('div');
  return new Promise((give) => {
    const isDie = asked.kind === 'die';
    const choices = isDie ? FACES : asked.options;
    const words = isDie ? question(ctx, asked.question) : `${ctx.name(asked.decider)}: ${ctx.t(`choice.${asked.subject.form}`)}`;
    const input = field(ctx.t('dice.several'), { autocomplete: 'off', inputmode: 'numeric' });
    fill(root, h('div', { class: 'asked', role: 'group', 'aria-label': words },
      h('p', {}, h('strong', {}, words), !isDie && h('span', { class: 'note' }, ` ${about(ctx, asked.subject)}`)),
      h('p', { class: 'row' }, choices.map((choice) => button(isDie ? choice : option(ctx, choice), () => give([choice]), { class: isDie && 'die', 'data-place': !isDie && choice.split(':')[1] }))),
      isDie && h('form', { class: 'row', onsubmit: (event) => {
        event.preventDefault();
        const found = input.lastChild.value.split(/[\s,;-]+/).filter(Boolean);
        if (found.length) give(found.map((item) => (/^[1-6]$/.test(item) ? Number(item) : item)));
      } }, input, h('button', {}, ctx.t('ok'))),
      !isDie && subject && h('p', {}, button(ctx.t('choice.ask'), once(ctx, async () => fill(best, advised(ctx, await ctx.ask('hint', subject)))))), best,
      h('p', {}, button(ctx.t('dice.back'), () => give(undefined), { class: 'back' }))));
    root.querySelector('button').focus();
    ctx.announce(words);
  });
}
