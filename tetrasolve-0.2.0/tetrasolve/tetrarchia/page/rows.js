// Changes of the board file: what a user has read off the printed map, as rows of text, and the file with them.
//
//   link a-b normal | broken | absent
//   zones a 1 2 | none        arrow a b | none        number a 3 | none

const ROW = /^(link|zones|arrow|number) ([a-z_]+(?:-[a-z_]+)?) ([a-z0-9_ ]+)$/;
const CERTAIN = '["board", 1.0]';
const CLAIM = { zones: 'zones', arrow: 'arrow', number: 'number' };

/** The changes in a text, by row; those that are none of this board are left out. */
export function read(text, provinces) {
  const found = new Map();
  for (const part of (text || '').split(';')) {
    const [, kind, where, value] = ROW.exec(part.trim()) || [];
    if (!kind || !where.split('-').every((id) => id in provinces)) continue;
    if ((kind === 'link') !== where.includes('-')) continue;
    found.set(`${kind} ${where}`, value);
  }
  return found;
}

export const write = (changes) => [...changes].map(([row, value]) => `${row} ${value}`).join(';');

/** The name of a link in the order of the file. */
export const linkRow = (links, a, b) => {
  const found = links.find(([x, y]) => (x === a && y === b) || (x === b && y === a));
  return `link ${(found ? found.slice(0, 2) : [a, b]).join('-')}`;
};

const literal = (kind, value) => {
  if (kind === 'zones') return `[${value === 'none' ? '' : value.split(' ').join(', ')}]`;
  return kind === 'arrow' ? `"${value}"` : value;
};

/** The text of a board file with these changes; what was changed is certain, since it was read off the board. */
export function rewritten(text, changes) {
  let blocks = text.split(/^(?=\[)/m);
  const isPair = (block, head, a, b) => block.startsWith(head) && block.match(/^between = (.*)$/m)?.[1].match(/[a-z_]+/g).sort().join() === [a, b].sort().join();
  for (const [row, value] of changes) {
    const [kind, where] = row.split(' ');
    if (kind === 'link') {
      const [a, b] = where.split('-');
      const at = blocks.findIndex((block) => isPair(block, '[[link]]', a, b));
      const broken = value === 'broken';
      if (value === 'absent') blocks = blocks.filter((block, index) => index !== at);
      else if (at >= 0) {
        blocks[at] = blocks[at].replace(/^broken = .*$/m, `broken = ${broken}`).replace(/^(kind_)?source = .*$/gm, '$1source = "board"').replace(/^(kind_)?confidence = .*$/gm, '$1confidence = 1.0');
      } else {
        blocks = blocks.filter((block) => !isPair(block, '[[no_link]]', a, b));
        blocks.push(`\n[[link]]\nbetween = ["${a}", "${b}"]\nbroken = ${broken}\nsource = "board"\nconfidence = 1.0\nkind_source = "board"\nkind_confidence = 1.0\n`);
      }
      continue;
    }
    const at = blocks.findIndex((block) => block.startsWith('[[province]]') && block.includes(`\nid = "${where}"\n`));
    if (at < 0) continue;
    const name = CLAIM[kind];
    const line = new RegExp(`^${name} = .*\\n`, 'm');
    let block = blocks[at].replace(line, '');
    if (value !== 'none') block = block.replace(/^(region = .*\n)/m, `$1${name} = ${literal(kind, value)}\n`);
    const claim = new RegExp(`(evidence = \\{.*?)(, )?\\b${name} = \\[[^\\]]*\\]`);
    blocks[at] = value === 'none' ? block.replace(claim, '$1').replace(/\{ ?,/, '{') : block.replace(claim, `$1$2${name} = ${CERTAIN}`);
  }
  return blocks.join('');
}
