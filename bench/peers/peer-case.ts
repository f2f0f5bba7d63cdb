import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Status } from '../../src/kernel/verdict.js';
import type { DnsName } from '../../test/support/dns/dns-zones.js';
import type { Reaction } from '../../test/support/smtp/smtp-behaviours.js';

/** A scripted mail server of a case. What is left out is as at an ordinary server, which refuses unknown users. */
export interface ServerScript {
  /** Default: `mx1.{domain}`, `mx2.{domain}`, … in the order of the servers. */
  host?: string;
  /** The server has an IPv6 address only. */
  isIpv6?: boolean;
  /** The reply to RCPT by local part; `{recipient}` is the address. */
  replies?: Record<string, Reaction>;
  /** The reply to RCPT for all other local parts; default: 550 5.1.1. */
  otherwise?: Reaction;
  banner?: Reaction;
  ehlo?: Reaction;
  helo?: Reaction;
  mail?: Reaction;
  rset?: Reaction;
  extensions?: string[];
  startTls?: 'offered' | 'refused' | 'broken';
  /** The command that is refused without TLS. */
  tlsNeededAt?: 'mail' | 'rcpt';
  /** Each sender and recipient is deferred with this reply for some time. */
  greylisting?: { forMs: number; reply: string };
  /** Further recipients are deferred with 452 4.5.3. */
  oneRecipientPer?: 'transaction' | 'connection';
}

/** One address, what its domain publishes, what its servers reply, and which verdicts are right. */
export interface PeerCase {
  id: string;
  kind: string;
  address: string;
  world: {
    /** Records by name; without them each server has an MX record, in the order of the servers. */
    dns?: Record<string, DnsName>;
    smtp?: ServerScript[];
  };
  acceptable: Status[];
  why: string;
  /** An RFC with its section, or a document with its address. */
  source: string;
}

const CASES = join(import.meta.dirname, 'cases');

/** The domain of a case: registrable, so that no case has a part of its name from another one. */
export const domainOf = (id: string) => `${id}-rcpt-case.net`;

/** All cases in the order of their files (`cases/<kind>.jsonl`); `{domain}` is replaced. */
export async function readCases(): Promise<PeerCase[]> {
  const files = (await readdir(CASES)).filter((name) => name.endsWith('.jsonl')).toSorted();
  const cases: PeerCase[] = [];
  for (const file of files)
    for (const line of (await readFile(join(CASES, file), 'utf8')).split('\n'))
      if (line !== '') cases.push({ ...parsed(line), kind: file.replace('.jsonl', '') });
  return cases;
}

function parsed(line: string): PeerCase {
  const { id } = JSON.parse(line) as PeerCase;
  return JSON.parse(line.replaceAll('{domain}', domainOf(id))) as PeerCase;
}
