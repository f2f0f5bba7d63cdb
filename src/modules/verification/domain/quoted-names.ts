/** Characters; what a server says after these explains nothing any more. */
export const LONGEST_READ = 2_000;

/** Names that a reply may repeat; none of them is a word of its sentence. */
export interface QuotedNames {
  /** The address asked about, as it was sent. */
  recipient: string;
  /** Ours in MAIL; '' for the null sender. */
  sender?: string;
  /** What we called ourselves in EHLO. */
  heloName?: string;
}

/**
 * The reply's own words, in lower case: `ghost@`, `spam.folder@` or `disabled@` are
 * names, not words. The recipient's address becomes `<>`, its domain and the hosts in it
 * `<@>`, our sender `<us>`, our host `<host>`.
 */
export function withoutNames(text: string, { recipient, sender = '', heloName = '' }: QuotedNames): string {
  const at = recipient.lastIndexOf('@');
  const localPart = recipient.slice(0, at);
  const domain = recipient.slice(at + 1);
  const unquoted = localPart.replace(/^"(.*)"$/, '$1');
  let words = text.slice(0, LONGEST_READ).replaceAll(MARK, ' ').toLowerCase();
  words = replace(words, NAME, [recipient, `${unquoted}@${domain}`, encodeURIComponent(recipient)], '<>');
  words = replace(words, IN_BRACKETS, [localPart, unquoted], '<>');
  words = replace(words, NAME, [sender, encodeURIComponent(sender)], '<us>');
  words = replace(words, HOST, [domain], '<@>');
  words = replace(words, NAME, [heloName], '<host>');
  // Bare, it may be a name or a word: then it says nothing at all.
  if (!SENTENCE_WORDS.has(unquoted.toLowerCase())) words = replace(words, NAME, [unquoted], '_');
  return words;
}

/**
 * What is left without addresses, links and the names of machines: a word that accuses
 * a mailbox must be one of the sentence, and no part of `mailbox.example.net`.
 *
 * @param words of `withoutNames`
 */
export function sentenceOf(words: string): string {
  return words
    .replace(/\bhttps?:\/\/\S+/g, ' ')
    .replace(/<?(?<![^\s<>@])[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?/g, '<other>')
    .replace(/\b(?!resolver\.)[a-z\d](?:[\w-]{0,61}\w)?(?:\.[a-z\d](?:[\w-]{0,61}\w)?){2,}\b/g, '<host>')
    .replace(/[[<(][a-z\d-]+(?:\.[a-z\d-]+)+[\])>]/g, '<host>');
}

/** Words of which sentences about mailboxes are made: taken away from a text, its meaning would go with them. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  'a an address addressee account alias available by does exist found full here in inbox invalid is local mail mailbox no not of over person quota recipient such that the this to unknown unrouteable user username was'.split(
    ' ',
  ),
);

/** Stands for the name that is looked for, so that the patterns need not be made anew for each reply. */
const MARK = '\0';
const NAME = /[<([{"'`]{0,4}(?<![\w.+\0-])\0(?![\w\0-])[>)\]}"'`]*/g;
const IN_BRACKETS = /[<([{"'`]\0[>)\]}"'`]/g;
const HOST = /[<([{"'`]{0,4}(?<![\w.@\0-])(?:[\w-]+\.)*\0(?![\w\0-])[>)\]}"'`]*/g;

/** Names that stand for themselves, with the brackets around them; those within other words stay. */
function replace(words: string, pattern: RegExp, names: readonly string[], by: string): string {
  let rest = words;
  for (const name of names.map((each) => each.toLowerCase())) {
    if (name === '' || !rest.includes(name)) continue;
    rest = rest
      .replaceAll(name, MARK)
      .replace(pattern, by)
      .replaceAll(MARK, () => name);
  }
  return rest;
}
