// A new game: its level and expert options.
import { field, h } from '../dom.js';
import { newGame, ticked } from '../newgame.js';
import { named } from '../parts.js';

export function gamePanel(ctx, table) {
  const { t, game } = ctx;
  const chosen = (form) => [form.elements.level.value, ...ticked(form, 'option')];
  return newGame(ctx, table, {
    levels: named(game.levels, (name) => t(`level.${name}`)),
    usual: 'standard',
    about: 'options.about',
    fields: h('fieldset', {}, h('legend', {}, t('options')), game.options.map((name) => field(t(`option.${name}`), { type: 'checkbox', name: 'option', value: name })),
      field(t('option.dealt'), { type: 'checkbox', name: 'dealt', value: 'E-MAP=dealt' })),
    chosen,
    body: (form, changed) => {
      const readings = [...changed, ...ticked(form, 'dealt')];
      return { level: chosen(form).join('+') + (readings.length ? `?${readings}` : '') };
    },
  });
}
