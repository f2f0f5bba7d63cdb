import type { Reason } from '../../src/kernel/verdict.js';
import type { DnsName } from './dns-zones.js';
import { mailboxes, recipients, type Reaction, type SmtpBehaviour } from './smtp-behaviours.js';

/** One domain of the mail world, and what a verifier must find out about it. */
export interface MailScene {
  domain: string;
  story: string;
  /** Its mail servers, the most preferred first; each gets an address of its own. */
  servers?: SmtpBehaviour[];
  /** The servers' names, where they matter; else `mx1.domain`, `mx2.domain`, … */
  hosts?: string[];
  /** Records beside, or instead of, those that follow from the servers. */
  dns?: Record<string, DnsName>;
  /** Local part → the reason that is right. */
  expect: Record<string, Reason>;
}

/** Takes jane, refuses all others. */
export const plain = mailboxes('jane');

/** A server that says this to everybody's address but takes jane's. */
export const saying = (reply: Reaction) => recipients({ jane: '250 2.1.5 Ok' }, reply);

/** One row of the reply table: what its server says to an address that is not jane's, and what that means. */
export const row = (
  name: string,
  story: string,
  reply: Reaction,
  reason: Reason,
  host?: string,
): MailScene => ({
  domain: `${name}.mailworld`,
  story,
  servers: [saying(reply)],
  hosts: host === undefined ? undefined : [host],
  expect: { ghost: reason },
});
