import { bytesOf, textOf } from './decoded-text.js';
import type { Fields } from './report-fields.js';

/** The type of a part (RFC 2045 §5), and how its text was encoded. */
export interface PartHeader {
  /** In lower case, without parameters. */
  type: string;
  boundary: string | null;
  encoding: string;
  /** In lower case. */
  charset: string | null;
}

/** Characters of a part that are decoded: of a returned message only the header is needed. */
const MAX_PART_LENGTH = 200_000;
const MAX_FIELD_LENGTH = 2_000;

export function partHeader(fields: Fields): PartHeader {
  const value = (fields.get('content-type') ?? '').slice(0, MAX_FIELD_LENGTH);
  return {
    type: value.split(';')[0]?.trim().toLowerCase() || 'text/plain',
    boundary: parameter(value, 'boundary'),
    encoding: (fields.get('content-transfer-encoding') ?? '').trim().toLowerCase(),
    charset: parameter(value, 'charset')?.toLowerCase() ?? null,
  };
}

function parameter(value: string, name: 'boundary' | 'charset'): string | null {
  const found = new RegExp(`;\\s{0,100}${name}\\s{0,10}=\\s{0,10}(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(value);
  return found?.[1] ?? found?.[2] ?? null;
}

/** @param body of a part, one character for each byte. @returns lines that end in LF. */
export function partText(body: string, { type, encoding, charset }: PartHeader): string {
  const text = textOf(bytesOf(body.slice(0, MAX_PART_LENGTH), encoding), charset);
  return type === 'text/html' ? textOfHtml(text) : text.replace(/\r\n?/g, '\n');
}

/** Elements of HTML that begin a line. */
const BEGINS_LINE = /^\/?(?:br|p|div|tr|li|h\d|pre|table|ul|ol|hr|blockquote)\b/;
const HIDDEN = /^(style|script|title)\b/;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Every `<` begins a tag, so that the cost is that of reading. */
function textOfHtml(html: string): string {
  const [start = '', ...tags] = html.replace(/\s+/g, ' ').split('<');
  let hidden: string | null = null;
  const texts = tags.map((tag) => {
    const end = tag.indexOf('>');
    const name = tag.slice(0, 20).toLowerCase();
    if (hidden !== null) {
      if (name.startsWith(`/${hidden}`)) hidden = null;
      return '';
    }
    hidden = HIDDEN.exec(name)?.[1] ?? null;
    if (end < 0 || hidden !== null) return '';
    return (BEGINS_LINE.test(name) ? '\n' : '') + tag.slice(end + 1);
  });
  return [start, ...texts].join('').replace(/&(?:#(\d{1,5})|([a-z]{2,4}));/g, textOfEntity);
}

function textOfEntity(entity: string, code: string | undefined, name: string | undefined): string {
  return code === undefined ? (ENTITIES[name ?? ''] ?? entity) : String.fromCharCode(Number(code));
}
