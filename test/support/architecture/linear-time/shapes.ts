import type { Shape } from './growth.js';

/** What is repeated. */
const UNITS = [
  ...[
    'a',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\0',
    '@',
    '.',
    '-',
    '"',
    "'",
    '\\',
    '<',
    '(',
    '[',
    ',',
    ';',
    '|',
    ':',
    '=',
    '&',
  ],
  ...[
    '\u0301',
    '\u200b',
    '😀',
    '\ud800',
    '@ ',
    'a@',
    '"@',
    'a@b.co',
    'a@b.co ',
    'a@b.co,',
    '<a@b.co>',
    'a b@c.co\n',
  ],
  ...[
    '"a"@b.co;',
    ' "',
    '""',
    '\\"',
    '"\\',
    '()',
    '<>',
    '({[<',
    '("',
    'a,',
    '"a",',
    '"",',
    'a\n',
    '@\n',
    ',\n',
    '"a\n',
  ],
  ...[
    'a,"\n',
    '"a,b"\n',
    'email,',
    'a,a_2,',
    'a.',
    'xn--a.',
    '--a\n',
    '\n--',
    'a: b\n',
    ' a\n',
    'Subject: a\n b\n',
  ],
  ...[
    'To: a@b.co, ',
    '=?utf-8?q?a?= ',
    '=3D',
    '&#1;',
    '<p>',
    '<script>',
    '\\x{E4}',
    '%40',
    '+',
    '550 ',
    '550-a\n',
  ],
  ...[
    '5.1.1 ',
    'said: 550 ',
    '(550 ',
    'no such user ',
    'not ',
    '452 4.2.2\n',
    'include:a ',
    'ip4:1.2.3.4 ',
    'p=none;',
  ],
  ...[';id=a', 'e-mail', '{"a":', '"\\u0041', '[],', '"a":1,', '1e'],
];

/** Of a text that is kept. */
const MAX_KEPT = 32_000;
/** What stands around the repetition: closed or open, at the beginning or at the end of the whole. */
const AROUND: readonly (readonly [before: string, after: string])[] = [
  ['', '@'],
  ['"', ''],
  ['a@b.co,', '\n"'],
  ['550 5.1.1 <', '>.'],
  ['email\n', '\na@b.co\n'],
];

/** Named texts of any length: one unit many times, alone or between others, two of them in turns, and a half of each. */
export function shapes(): { name: string; shape: Shape }[] {
  const alone = UNITS.map((unit) => shapeOf(unit, ['', '']));
  const between = UNITS.flatMap((unit, at) =>
    at % 8 === 0 ? shapeOf(unit, AROUND[(at / 8) % AROUND.length] ?? ['', '']) : [],
  );
  const mixed = UNITS.flatMap((unit, at) => (at % 8 === 1 ? shapeOf(unit + other(11 + at), ['', '']) : []));
  const halves = UNITS.flatMap((unit, at) => (at % 16 === 2 ? halvesOf(unit, other(7 * at + 3)) : []));
  return [...alone, ...between, ...mixed, ...halves].map(({ name, shape }) => ({ name, shape: kept(shape) }));
}

const other = (at: number) => UNITS[at % UNITS.length] ?? '';

function shapeOf(unit: string, [before, after]: readonly [string, string]) {
  const around = before.length + after.length;
  return {
    name: JSON.stringify([before, unit, after]),
    shape: (length: number) => flat(before + repeated(unit, length - around) + after),
  };
}

function halvesOf(one: string, two: string) {
  return {
    name: `a half of ${JSON.stringify(one)}, a half of ${JSON.stringify(two)}`,
    shape: (length: number) => flat(repeated(one, length / 2) + repeated(two, length / 2)),
  };
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.max(1, Math.floor(length / unit.length)));
}

/** A text that was put together from parts would be flattened in the time that is measured. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Each reader gets the same texts. */
function kept(shape: Shape): Shape {
  const texts = new Map<number, string>();
  return (length) => {
    const text = texts.get(length) ?? shape(length);
    if (length <= MAX_KEPT) texts.set(length, text);
    return text;
  };
}
