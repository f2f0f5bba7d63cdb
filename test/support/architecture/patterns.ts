import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { RETRY_DELAY_PATTERNS } from '../../../src/engine/replies/retry-delay.js';
import { REPLY_RULES } from '../../../src/engine/replies/reply-rules.js';
import { OF_RECIPIENT, OF_CUSTOMER } from '../../../src/engine/replies/rejection-subject.js';
import { WRAPPERS } from '../../../src/engine/replies/quoted-reply.js';
import { BOUNCE_FORMATS } from '../../../src/modules/events/outcome-intake/domain/reports/bounce-formats.js';
import * as wordings from '../../../src/engine/replies/reply-wordings.js';

/** A regular expression and its location in the source. */
export interface KnownPattern {
  where: string;
  pattern: RegExp;
}

const SOURCE = join(import.meta.dirname, '../../../src');
/** Directories whose patterns match only settings and arguments of the operator. */
const READ_NO_FOREIGN_TEXT = ['platform/config/', 'commands/'];

/** All patterns that match untrusted text. */
export async function patternsForUntrustedText(): Promise<KnownPattern[]> {
  const files = (await readdir(SOURCE, { recursive: true })).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.endsWith('.spec.ts') &&
      !READ_NO_FOREIGN_TEXT.some((folder) => name.startsWith(folder)),
  );
  const literals = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(SOURCE, name), 'utf8');
      return mayHaveLiterals(text) ? literalsIn(name, text) : [];
    }),
  );
  return once([...literals.flat(), ...replyPatterns(), ...bouncePatterns()]);
}

/** The patterns for SMTP replies; some are composed of parts. */
export function replyPatterns(): KnownPattern[] {
  const named = Object.entries(wordings).flatMap(([name, list]) =>
    list.map((pattern, n) => ({ where: `${name} ${n}`, pattern })),
  );
  const ofRules = Object.entries(REPLY_RULES).flatMap(([table, rules]) =>
    rules.flatMap(({ words = [], enhanced }, n) =>
      [...words, ...(enhanced === undefined ? [] : [enhanced])].map((pattern) => ({
        where: `${table} ${n}`,
        pattern,
      })),
    ),
  );
  const ofDelays = RETRY_DELAY_PATTERNS.map((pattern, n) => ({ where: `retry delay ${n}`, pattern }));
  const ofSubjects = [...OF_RECIPIENT, ...OF_CUSTOMER].map((pattern, n) => ({
    where: `subject ${n}`,
    pattern,
  }));
  return once([...ofRules, ...named, ...ofDelays, ...ofSubjects]);
}

/** Those of bounces that are composed of parts. */
function bouncePatterns(): KnownPattern[] {
  const wrappers = WRAPPERS.map((pattern, n) => ({ where: `wrapper ${n}`, pattern }));
  const lines = BOUNCE_FORMATS.map(({ program, recipient }) => ({ where: program, pattern: recipient }));
  return [...wrappers, ...lines];
}

function once(patterns: readonly KnownPattern[]): KnownPattern[] {
  return [...new Map(patterns.map((entry) => [String(entry.pattern), entry])).values()];
}

/** Parsing takes longer than this: a slash that is none of a comment or of an imported path. */
function mayHaveLiterals(text: string): boolean {
  return text.replace(/\bfrom '[^'\n]*'|^ *(?:\/\/|\/?\*).*$/gm, '').includes('/');
}

function literalsIn(name: string, text: string): KnownPattern[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: KnownPattern[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.end);
      const end = node.text.lastIndexOf('/');
      found.push({
        where: `${name}:${line + 1}`,
        pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
