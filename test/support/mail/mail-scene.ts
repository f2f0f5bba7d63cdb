import type { Reason } from '../../../src/kernel/verdict.js';
import type { DnsName } from '../dns/dns-zones.js';
import { mailboxes, recipients, type Reaction, type SmtpBehaviour } from '../smtp/smtp-behaviours.js';

/** One domain of the mail world with its expected reasons. */
export interface MailScene {
  domain: string;
  story: string;
  /** Its mail servers in order of preference; each has its own address. */
  servers?: SmtpBehaviour[];
  /** Host names of the servers; default `mx1.domain`, `mx2.domain`, … */
  hosts?: string[];
  /** Additional or replaced DNS records; `{address}` in an MX record is the address of the first server. */
  dns?: Record<string, DnsName>;
  /** Local part → expected reason. */
  expect: Record<string, Reason>;
}

/** Accepts jane, rejects all others. */
export const plain = mailboxes('jane');

/** A server that accepts jane and sends this reply for all others. */
export const saying = (reply: Reaction) => recipients({ jane: '250 2.1.5 Ok' }, reply);

/** One row of the reply table: the reply for an address other than jane's, and its expected reason. */
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
