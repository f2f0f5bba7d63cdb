import fc from 'fast-check';

/** One of these as often as another; pieces that grammars, encodings and servers disagree about. */
const piece = fc.constantFrom(
  ...'aZ09.-+_"\\@<>[]() \r\n\0\t,;:%=\u0338\u0301\u0308\u0331\u037E\u212A\u2126\u0958\u200B\u200D\u202E\u2028éẗＡ＠．。＜<ü用'.split(
    '',
  ),
  'xn--',
  'xn--mnchen-3ya',
  '\\"',
  '"@',
  '\ud800',
  '😀',
  'e\u0301',
  'T\u0308',
);
const scribble = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
/** Any text at all, and above all what is nearly an address. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  scribble,
  fc.tuple(scribble, scribble).map(([local, domain]) => `${local}@${domain}.com`),
  scribble.map((local) => `${local}@x.com`),
  scribble.map((inner) => `"${inner}"@x.com`),
);

/** Letters and digits that are easily mistaken, composed, decomposed or of another script. */
export const letter = fc.constantFrom(
  ...'abcxyzABCXYZ0189'.split(''),
  'é',
  'É',
  'ü',
  'T\u0308',
  'я',
  '用',
  '\u0958',
  'ẗ',
);
const atom = fc.array(fc.oneof(letter, fc.constantFrom(...'+-_=~!#'.split(''))), {
  minLength: 1,
  maxLength: 6,
});
const dotString = fc
  .array(atom, { minLength: 1, maxLength: 3 })
  .map((atoms) => atoms.map((letters) => letters.join('')).join('.'));
const quotedText = fc.array(fc.oneof(letter, fc.constantFrom(' ', '@', ',', '(', '.', '..', '\\"', '\\\\')), {
  maxLength: 8,
});
/** Dot-strings and quoted strings, ASCII and not, composed and not. */
export const localPart = fc.oneof(
  dotString,
  quotedText.map((letters) => `"${letters.join('')}"`),
);
const label = fc.constantFrom(
  'x',
  'example',
  'a-b',
  '1and1',
  'münchen',
  'почта',
  '例え',
  'xn--mnchen-3ya',
  'faß',
);
export const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'de', 'рф', 'テスト'))
  .map(([labels, ending]) => [...labels, ending].join('.'));
/** Of the grammar, and within its limits. */
export const address = fc
  .tuple(localPart, domain)
  .filter(([local]) => [local, local.normalize('NFC')].every((each) => Buffer.byteLength(each) <= 64))
  .map(([local, name]) => `${local}@${name}`);
