/** Characters; what a server says after these explains nothing any more. */
const LONGEST_READ = 2_000;

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
  const addresses = [recipient, `${unquoted}@${domain}`, encodeURIComponent(recipient)];
  let words = replaceName(text.slice(0, LONGEST_READ), addresses, '<>');
  words = words.replace(anyOf('[<([{"\'`]', [localPart, unquoted], '[>)\\]}"\'`]'), '<>');
  if (sender !== '') words = replaceName(words, [sender, encodeURIComponent(sender)], '<us>');
  words = words.replace(
    anyOf('[<([{"\'`]*(?<![\\w.@-])(?:[\\w-]+\\.)*', [domain], '(?![\\w-])[>)\\]}"\'`]*'),
    '<@>',
  );
  if (heloName !== '') words = replaceName(words, [heloName], '<host>');
  // Bare, it may be a name or a word: then it says nothing at all.
  if (!SENTENCE_WORDS.has(unquoted.toLowerCase())) words = replaceName(words, [unquoted], '_');
  return words.toLowerCase();
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
    .replace(/<?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?/g, '<other>')
    .replace(/\b(?!resolver\.)[a-z\d](?:[\w-]*[\w])?(?:\.[a-z\d](?:[\w-]*[\w])?){2,}\b/g, '<host>')
    .replace(/[[<(][a-z\d-]+(?:\.[a-z\d-]+)+[\])>]/g, '<host>');
}

/** Words of which sentences about mailboxes are made: taken away from a text, its meaning would go with them. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  'a an address addressee account alias available by does exist found full here in inbox invalid is local mail mailbox no not of over person quota recipient such that the this to unknown unrouteable user username was'.split(
    ' ',
  ),
);

function replaceName(text: string, names: readonly string[], by: string): string {
  return text.replace(anyOf('[<([{"\'`]*(?<![\\w.+-])', names, '(?![\\w-])[>)\\]}"\'`]*'), by);
}

function anyOf(before: string, names: readonly string[], after: string): RegExp {
  return new RegExp(`${before}(?:${names.map(escaped).join('|')})${after}`, 'giu');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
