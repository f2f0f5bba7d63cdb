import type { SmtpCategory, SmtpStage } from '../../../src/kernel/verdict.js';
import { ABOUT_US } from './real-replies.about-us.js';
import { BEFORE_RCPT } from './real-replies.before.js';
import { ABOUT_MAILBOXES } from './real-replies.mailboxes.js';
import { ABOUT_OTHER_THINGS } from './real-replies.unwilling.js';

/** Source of a reply. */
export const SOURCES = {
  debian: 'measured: Postfix 3.7, Exim 4.96, OpenSMTPD 6.8 and Postgrey 1.37 of Debian 12, 2026-11',
  rfc: 'RFC 5321, RFC 6531, RFC 7504, RFC 7505',
  google: 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730',
  microsoft: 'Exchange Online non-delivery reports, learn.microsoft.com',
  yahoo: 'Yahoo sender hub, SMTP error codes, senders.yahooinc.com/smtp-error-codes',
  mimecast: 'Mimecast SMTP error codes, community.mimecast.com',
  kumomta: 'what KumoMTA’s community rules match, assets/community/bounces.toml',
  sisimai: 'what Sisimai’s reasons match, lib/Sisimai/Reason',
  bounces: 'at second hand: bounce collections and issues of other verifiers',
  made: 'ours: nobody was seen to say it, and it would mislead',
} as const;

/** A reply of a real mail server for ghost@example.com to verify@rcpt.example, with its category. */
export interface RealReply {
  software: string;
  /** The provider as in `providerOf`; null for software that anyone can run. */
  provider: string | null;
  stage: SmtpStage;
  source: string;
  category: SmtpCategory;
  /** `550 text`; lines are separated by `|`. */
  text: string;
}

/** One reply per line: `source@stage | software [provider] > reply`; the default stage is RCPT. */
export type RepliesByMeaning = Partial<Record<SmtpCategory, string>>;

const LINE = /^(\w+)(?:@(\w+))? \| (.+?)(?: \[(\w+)\])? > (.+)$/;

export const REAL_REPLIES: readonly RealReply[] = [
  ABOUT_MAILBOXES,
  ABOUT_OTHER_THINGS,
  ABOUT_US,
  BEFORE_RCPT,
].flatMap(parse);

function parse(replies: RepliesByMeaning): RealReply[] {
  return Object.entries(replies).flatMap(([category, lines]) =>
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const found = LINE.exec(line.trim());
        if (found === null) throw new SyntaxError(`not a reply: ${line}`);
        const [, source = '', stage = 'rcpt', software = '', provider = null, text = ''] = found;
        return {
          software,
          provider,
          stage: stage as SmtpStage,
          source,
          category: category as SmtpCategory,
          text,
        };
      }),
  );
}
