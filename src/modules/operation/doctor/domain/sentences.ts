import { FOUND } from './found.js';
import { REMEDIES } from './remedies.js';

/** What a check has found, or what to do, for people: a code, and the values that its text names in braces. */
export interface Sentence<Code extends string = string> {
  code: Code;
  params: Readonly<Record<string, string>>;
}

export type FoundCode = keyof typeof FOUND;
export type RemedyCode = keyof typeof REMEDIES;
export const FOUND_CODES = Object.keys(FOUND) as FoundCode[];
export const REMEDY_CODES = Object.keys(REMEDIES) as RemedyCode[];

/** The names in braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Of each value; replies of servers are among them. */
const MAX_LENGTH = 400;

function cleaned(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(/\p{Cc}/gu, ' ').slice(0, MAX_LENGTH),
    ]),
  );
}

export function found<Code extends FoundCode>(
  code: Code,
  params: Readonly<Record<NamesIn<(typeof FOUND)[Code]>, string>>,
): Sentence<FoundCode> {
  return { code, params: cleaned(params) };
}

export function remedy<Code extends RemedyCode>(
  code: Code,
  params: Readonly<Record<NamesIn<(typeof REMEDIES)[Code]>, string>>,
): Sentence<RemedyCode> {
  return { code, params: cleaned(params) };
}

export const foundText = ({ code, params }: Sentence<FoundCode>): string => filled(FOUND[code], params);

export const remedyText = ({ code, params }: Sentence<RemedyCode>): string => filled(REMEDIES[code], params);

/** Values are put in once: one that has braces stays as it is. */
function filled(text: string, params: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}
