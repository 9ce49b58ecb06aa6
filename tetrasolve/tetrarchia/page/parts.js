// Small parts that several views have, beside those of the shell.

/** An action, a plan or an objective in words: names of provinces, and what the game calls things in this language. */
export const words = (ctx, text) => text.replace(/[a-z][a-z_-]*/g, (word) => ctx.game.provinces[word]?.name
  || (ctx.has(`word.${word}`) ? ctx.t(`word.${word}`) : word));

/** What a board shows after an action; it is known then for the position, too. */
export async function after(ctx, position, action) {
  const found = await ctx.ask('view', { position, action });
  if (found.read) ctx.ask.keep('view', { position: found.position }, found);
  return found;
}

/** Provinces by name, as options. */
export const places = (ctx) => Object.entries(ctx.game.provinces).map(([id, row]) => [id, row.name]).sort((a, b) => a[1].localeCompare(b[1]));

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
