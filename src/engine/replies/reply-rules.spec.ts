import { describe, expect, it } from '@jest/globals';
import type { SmtpCategory } from '../../kernel/verdict.js';
import { REAL_REPLIES, SOURCES, type RealReply } from '../../../test/support/replies/real-replies.js';
import { firstRule, tableFor, type ReplyContext } from './mailbox-reply.js';
import { withoutNames } from './quoted-names.js';
import { REPLY_RULES, type ReplyRule, type ReplyTable } from './reply-rules.js';
import * as wordings from './reply-wordings.js';
import { smtpReply } from './smtp-reply.js';

const REPLIES = REAL_REPLIES.map((reply) => ({ ...reply, context: contextOf(reply) }));
const RULES = (Object.keys(REPLY_RULES) as ReplyTable[]).flatMap((table) =>
  REPLY_RULES[table].map((rule, index) => ({
    table,
    rule,
    name: `${table} ${index}: ${describeRule(rule)}`,
  })),
);

describe.each(RULES)('the rule $name', ({ table, rule }) => {
  const reached = REPLIES.filter(
    ({ context }) => tableFor(context) === table && firstRule(context, REPLY_RULES[table]) === rule,
  );

  it('is the first match of some reply', () => {
    expect(reached.length).toBeGreaterThan(0);
  });

  it('changes the result of some reply', () => {
    const others = REPLY_RULES[table].filter((other) => other !== rule);
    const changed = reached.filter(({ context }) => firstRule(context, others)?.is !== rule.is);
    expect(changed.length).toBeGreaterThan(0);
  });
});

describe('a wording', () => {
  const texts = REPLIES.map(({ context }) => withoutNames(context.reply.text, context));
  const patterns = Object.entries(wordings).flatMap(([name, list]) =>
    list.map((pattern, index) => ({ name, index, pattern })),
  );

  it.each(patterns)('occurs in a reply of some server: $name $index', ({ pattern }) => {
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});

describe('a fixture', () => {
  it('has a source', () => {
    const unknown = REAL_REPLIES.filter(({ source }) => !Object.hasOwn(SOURCES, source));
    expect(unknown).toEqual([]);
  });

  it('is unique', () => {
    const keys = REAL_REPLIES.map(({ stage, provider, text }) => `${stage} ${provider} ${text}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('no rule', () => {
  it('makes an address undeliverable with a 4xx code, or before RCPT except for a host without mail', () => {
    const undeliverable: SmtpCategory[] = ['mailbox_not_found', 'mailbox_disabled', 'smtputf8'];
    const others = [...REPLY_RULES.beforeRecipient, ...REPLY_RULES.recipient4xx].map(({ is }) => is);
    expect(others.filter((is) => undeliverable.includes(is))).toEqual([]);
    expect(REPLY_RULES.recipient4xx.map(({ is }) => is)).not.toContain('null_mx');
  });
});

function contextOf({ text, stage, provider }: RealReply): ReplyContext {
  const lines = text.split('|');
  const reply = smtpReply(
    Number(lines[0]?.slice(0, 3)),
    lines.map((line) => line.slice(4)),
  );
  return {
    stage,
    reply,
    provider,
    recipient: 'ghost@example.com',
    sender: 'verify@rcpt.example',
    heloName: 'verify.rcpt.example',
  };
}

function describeRule({ is, provider, codes, enhanced, words }: ReplyRule): string {
  const conditions = [provider, codes?.join('/'), enhanced?.source, words?.[0]?.source.slice(0, 30)];
  return `${is} if ${conditions.filter((condition) => condition !== undefined).join(', ') || 'nothing else fits'}`;
}
