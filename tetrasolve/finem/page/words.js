// What the game's data mean in the language of the page.
export const list = (ctx, words) => new Intl.ListFormat(ctx.lang, { type: 'conjunction' }).format(words);

export const tribe = (ctx, letter) => ctx.t(`tribe.${letter}`);

/** A card: its name, and its notation, which is on the map. */
export const card = (ctx, id) => `${id}, ${ctx.t('card', { rank: ctx.t(`rank.${id[1]}`), suit: tribe(ctx, id[0]) })}`;

export const role = (ctx, name) => ctx.t(`role.${name || 'none'}`);

/** A decision, or a card or role that is drawn, in words; its notation where there are none. */
export function action(ctx, text) {
  const [verb, ...rest] = text.split(' ');
  if (ctx.game.roles.includes(text)) return role(ctx, text);
  if (/^[OCEB][567SCR]$/.test(text)) return text;
  const last = rest.at(-1);
  const key = `action.${verb}${last === 'all' ? '.all' : rest.includes('all') ? '.both' : rest.length || !ctx.has(`action.${verb}.alone`) ? '' : '.alone'}`;
  if (!ctx.has(key)) return text;
  const region = rest.find((word) => word.length === 2 && /[567SCR]$/.test(word) && verb !== 'discard') || '';
  const letter = verb === 'discard' ? '' : rest.find((word) => /^[OCEB]$/.test(word)) || '';
  const points = ['discard', 'order'].includes(verb) ? list(ctx, rest.map((word) => `${tribe(ctx, word[0])} ${word.slice(1)}`.trim())) : '';
  return ctx.t(key, { region, tribe: letter && tribe(ctx, letter), points, other: last });
}

/** What lies on a card. */
export function contents(ctx, json, id) {
  const cubes = Object.entries(json.cubes[id] || {}).map(([letter, n]) => ctx.t('cubes', { n, tribe: tribe(ctx, letter) }));
  const marks = ['pawn', 'last', 'start', 'protected'].filter((name) => json[name] === id).map((name) => ctx.t(`mark.${name}`));
  return [...marks, ...(cubes.length ? cubes : [ctx.t('cubes.none')])];
}

/** What another position has that the one before had not. */
export function changes(ctx, before, after) {
  const found = [];
  for (const id of new Set([...Object.keys(before.cubes), ...Object.keys(after.cubes)])) {
    for (const letter of ctx.game.tribes) {
      const more = (after.cubes[id]?.[letter] || 0) - (before.cubes[id]?.[letter] || 0);
      if (more) found.push(ctx.t('change.cubes', { region: id, tribe: tribe(ctx, letter), n: (more > 0 ? '+' : '−') + Math.abs(more) }));
    }
  }
  for (const letter of ctx.game.tribes) {
    if (before.dice[letter] !== after.dice[letter]) found.push(ctx.t('change.die', { tribe: tribe(ctx, letter), n: after.dice[letter] }));
    if (after.pacified.includes(letter) && !before.pacified.includes(letter)) found.push(ctx.t('change.pacified', { tribe: tribe(ctx, letter) }));
  }
  for (const name of ['decline', 'outbreaks']) if (before[name] !== after[name]) found.push(ctx.t(`change.${name}`, { n: after[name] }));
  if (before.role !== after.role) found.push(role(ctx, after.role));
  return found;
}

/** How a game ended. */
export function result(ctx, text) {
  const why = text.replace(/^lost: /, '');
  const letter = why.match(/of ([OCEB]) left/)?.[1];
  if (text === 'won') return ctx.t('result.won');
  if (letter) return ctx.t('result.cubes', { tribe: tribe(ctx, letter) });
  return ctx.has(`result.${why}`) ? ctx.t(`result.${why}`) : text;
}

/** Where the actions of a plan are taken, as arrows and badges of a board. */
export function route(json, actions) {
  let at = json.pawn;
  return actions.flatMap((text, number) => {
    const [verb, to] = text.split(' ');
    const from = at;
    if (verb === 'move') at = to;
    return ['move', 'confront', 'remove', 'protect'].includes(verb) ? [[verb === 'move' ? from : verb === 'confront' ? at : to, verb === 'confront' ? at : to, String(number + 1)]] : [];
  });
}

/** What the chances of a hint or a review rest on. */
export function basis({ t, lang }, { network, rules, calibration_games: games, shifted_by: shifted, not_learned: unlearned }) {
  const values = { network: network.slice(0, 8), rules, games: games.toLocaleString(lang), shifts: Object.keys(shifted).join(', '), readings: unlearned.join(', ') };
  return h('p', { class: 'note' }, t(`basis.${games ? 'rules' : 'none'}`, values), values.shifts && ` ${t('basis.shifted', values)}`, values.readings && ` ${t('basis.unlearned', values)}`);
}

/** The rules of a position: level, expert options, readings; its map is to be seen. */
export const ruleset = (ctx, position) => position.split(' ')[0].split('@')[0].replaceAll(',', ', ');
