import fc from 'fast-check';

/** Fragments that are treated differently by grammars, encodings and servers. */
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
/** Arbitrary text, mostly similar to an address. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  scribble,
  fc.tuple(scribble, scribble).map(([local, domain]) => `${local}@${domain}.com`),
  scribble.map((local) => `${local}@x.com`),
  scribble.map((inner) => `"${inner}"@x.com`),
);

/** Letters and digits: composed, decomposed, or from other scripts. */
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
const quotedText = fc.array(
  fc.oneof(letter, fc.constantFrom(' ', '@', ',', '(', '<', '>', '.', '..', '\\"', '\\\\')),
  {
    maxLength: 8,
  },
);
/** Dot-strings and quoted strings, ASCII and non-ASCII, composed and decomposed. */
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
/** Valid addresses within the length limits. */
export const address = fc
  .tuple(localPart, domain)
  .filter(([local]) => [local, local.normalize('NFC')].every((text) => Buffer.byteLength(text) <= 64))
  .map(([local, name]) => `${local}@${name}`);
