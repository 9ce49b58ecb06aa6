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

/** Legal actions, each attack once with the rows of its outcomes. */
export function gathered(rows) {
  const found = new Map();
  for (const row of rows) {
    const action = row.action.replace(`: ${row.outcome}`, '');
    if (!found.has(action)) found.set(action, { ...row, action, outcomes: row.outcome && [] });
    if (row.outcome) found.get(action).outcomes.push(row);
  }
  return [...found.values()];
}

/** Provinces by name, as options. */
export const places = (ctx) => Object.entries(ctx.game.provinces).map(([id, row]) => [id, row.name]).sort((a, b) => a[1].localeCompare(b[1]));

/** Arrows of a board for actions from a position: where the figure who acts goes, and what it does there. `positions` are those after actions, where they are known. */
export function route(ctx, position, actions, positions = []) {
  const { provinces, emperors } = ctx.game;
  const at = (line) => {
    const [, who, codes] = line.split(' ');
    const code = codes.split('/')[emperors.findIndex((row) => row.letter === who[0])];
    return Object.keys(provinces).find((id) => provinces[id].code === code);
  };
  let from = at(position);
  return actions.flatMap((action, number) => {
    const [, figure, verb, place] = action.match(/^(?:(\w+): )?(\S+) ?(\w*)/);
    const to = place in provinces ? place : from;
    const start = figure || !from ? to : from;
    if (!figure) from = positions[number] ? at(positions[number]) || from : verb === 'move' || verb === 'enter' ? to : from;
    return to ? [[start, to, String(number + 1)]] : [];
  });
}

/** Those of a turn as a plan has it, up to its attack. */
export const turnRoute = (ctx, position, { steps, attack }) => route(ctx, position, [...steps.map((step) => step.action), ...(attack ? [attack] : [])], steps.map((step) => step.position));

/** The steps of a plan up to its first dice. */
export const opening = (plan) => plan.replace(/ \{.*/s, '').split('; ').filter((action) => action !== 'end');
