/** A name in quotation marks in front of an address in brackets (RFC 5322 §3.4). */
const QUOTED_NAME = /"(?:[^"\\\n]|\\.){0,200}"\s{0,20}(?=<)/g;
/** A name without them, which may have commas, as Outlook copies it. */
const NAME = /(^|[,;\n])[^@;\n<>]{0,200}<([^<>\n]*)>/g;
const SCHEME = /\bmailto:([^\s,;<>?]+)(?:\?[^\s,;<>]*)?/gi;

/** The addresses of a text as people copy it from mail programs: with names, brackets and commas. */
export function pastedAddresses(text: string): string[] {
  const plain = text.replace(QUOTED_NAME, ' ').replace(SCHEME, '$1').replace(NAME, '$1 $2 ');
  return plain
    .replace(/[<>]/g, ' ')
    .split(/[\s,;]+/)
    .filter(Boolean);
}
