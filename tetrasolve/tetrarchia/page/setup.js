// A new game: its level, modules and variants, a scenario, and house rules.
import { field, h } from '../dom.js';
import { newGame, optional, ticked } from '../newgame.js';
import { named, options } from '../parts.js';

export function gamePanel(ctx, table) {
  const { t, game } = ctx;
  const check = (name, value, label) => field(label, { type: 'checkbox', name, value });
  const kinds = ['module', 'variant'];
  const fixed = check('fixed', '1', t('fixed'));
  return newGame(ctx, table, {
    levels: named(game.levels, String),
    usual: '4211',
    about: 'level.about',
    fields: [field(t('scenario'), { name: 'scenario' }, options(t('scenario.none'), game.scenarios.map(({ id }) => [id, t(`scenario.${id}`)]))), fixed,
      kinds.map((kind) => h('fieldset', {}, h('legend', {}, t(`${kind}s`)), game[`${kind}s`].map((name) => check(kind, name, t(`${kind}.${name}`))))),
      field(t('fleets'), { name: 'fleets', autocomplete: 'off', placeholder: '2 3' })],
    numbers: game.house.map((row) => optional(row, field(`${t(`house.${row.name}`)} (${t('page', { page: row.page })}; ${row.default})${row.reference ? '*' : ''}`,
      { name: row.name, 'data-usual': row.default, type: 'number', min: row.least, max: row.most, value: row.default, required: true }))),
    chosen(form) {
      const war = game.scenarios.find((row) => row.id === form.elements.scenario.value);
      fixed.hidden = !war;
      const { level } = form.elements;
      if (war) level.value = level.value[0] + war.level.slice(1); // garrisons alone can be chosen
      return [...kinds.flatMap((kind) => ticked(form, kind)), ...(war?.modules || [])];
    },
    body(form, changed) {
      const { level, scenario, fleets } = form.elements;
      const found = fleets.value.match(/[1-9]/g);
      return { level: level.value + (changed.length ? `?${changed}` : ''), modules: ticked(form, 'module'), variants: ticked(form, 'variant'),
        scenario: scenario.value || undefined, fixed: scenario.value ? ticked(form, 'fixed').length > 0 : undefined, fleets: found?.map(Number) };
    },
  });
}
