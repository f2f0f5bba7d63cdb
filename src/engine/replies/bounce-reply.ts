import type { SmtpCategory } from '../../kernel/verdict.js';
import { readReply, type ReplyContext, type ReplyMeaning } from './mailbox-reply.js';
import { withoutNames } from './quoted-names.js';

/** A reply that a bounce quotes: to RCPT, or to the message itself. */
type BounceContext = Omit<ReplyContext, 'stage'>;

/**
 * About the message, which a server sees after DATA only: its size, its content, or a rule for it. The words of
 * such a reply may name a mailbox, but do not show that it is missing.
 */
const ABOUT_CONTENT: readonly RegExp[] = [
  /\b(virus|malware|phish|spam|junk|bulk mail|viagra|attachments?|executable|content|subject|mime|headers?|urls?|links?|body)\b/,
  /\b(message|mail|e-mail|email) (was |is |has been |have been )?(too (big|large)|(size )?exceeds|blocked|refused|filtered|quarantined|discarded|identified|flagged|classified|detected|considered)/,
  /\b(size|length) (limit|exceed)|exceeds? (the |its |a )?(maximum|max|size)|dkim|dmarc|\barc\b|signature (failed|invalid)|line too long|duplicate message/,
];

/** Words beside the code of a full mailbox (5.2.2, RFC 3463 §3.3), whatever else they say of it. */
const ABOUT_SPACE = /\b(full|quota|storage|space)\b/;

/** About the program that stores mail on the server, which could not. */
const ABOUT_STORAGE =
  /\b(lock failure|error while writing|couldn'?t create|(cannot|can't|could not|couldn't|unable to) (open|create|write|lock|append|access)|(input\/output|i\/o) error|read-only file system|no space left)\b/;

/** About the way to the server, as the sending program saw it. */
const ABOUT_NETWORK =
  /\b(couldn't find any host|name service error|no route to host|connection (timed out|refused)|unable to find mx)\b/;

/** About the message by its code: conversion (5.6), its size (5.2.3, 5.3.4). RFC 3463 §3.3, §3.4, §3.7. */
const CODES_ABOUT_CONTENT = /^[45]\.(6\.[0-68]|2\.3|3\.4)$/;

/**
 * Classifies a reply with the rules for RCPT, after those for replies to DATA: a bounce does not show to which
 * command it belongs.
 */
export function readBounce(context: BounceContext): ReplyMeaning {
  if (context.reply.code >= 400) {
    if (CODES_ABOUT_CONTENT.test(context.reply.enhancedCode ?? '')) return CONTENT;
    const words = withoutNames(context.reply.text, context).replace(/https?:\/\/\S{1,400}/g, ' ');
    if (ABOUT_CONTENT.some((pattern) => pattern.test(words))) return CONTENT;
    if (ABOUT_STORAGE.test(words) || ABOUT_NETWORK.test(words)) return BEFORE_MAILBOX;
    if (/^[45]\.2\.2$/.test(context.reply.enhancedCode ?? '') && ABOUT_SPACE.test(words)) return SPACE;
  }
  return readReply({ ...context, stage: 'rcpt' });
}

const CONTENT: ReplyMeaning = { category: 'policy', rule: 'afterData.content' };
const SPACE: ReplyMeaning = { category: 'mailbox_full', rule: 'afterData.space' };
const BEFORE_MAILBOX: ReplyMeaning = { category: 'temporary', rule: 'afterData.beforeMailbox' };

/** Whether the reply states that the mailbox does not exist, or is disabled. */
export function isHard(category: SmtpCategory | null): boolean {
  return category === 'mailbox_not_found' || category === 'mailbox_disabled';
}
