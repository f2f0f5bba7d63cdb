import type { MxRecord, SmtpEvidence, SmtpStage } from '../../kernel/verdict.js';
import type { EmailAddress } from '../address/email-address.js';
import type { RecordedRequester } from './smtp-transcript.js';

/**
 * How a probe ended.
 *
 * `replied`: a server replied about the recipient, or rejected us before RCPT; `evidence.category` gives
 * the meaning. All others: there was no such reply.
 */
export type ProbeEnd =
  | 'replied'
  /** No host could be connected to. */
  | 'no_connect'
  /** Our egress failed (its proxy, or its source address): nothing is known about the hosts. */
  | 'egress_failed'
  /** The timeout of a stage or the deadline was reached. */
  | 'timeout'
  /** The server closed the connection, or its reply was not valid SMTP. */
  | 'smtp_protocol_error'
  /** The hosts have no address of the family that the egress has. */
  | 'no_route'
  /** Connections to all addresses of all hosts are forbidden. */
  | 'unsafe_mail_server'
  /** Every MX host permanently denies relaying for the recipient and for the postmaster of its domain. */
  | 'relaying_denied'
  /** No MX host has an address, according to authoritative responses of the DNS. */
  | 'no_address'
  /** The addresses of the hosts could not be resolved. */
  | 'dns_error'
  /** The local part requires SMTPUTF8 and no reachable host offers it (RFC 6531 §3.2). */
  | 'smtputf8_unsupported';

/** The reply of the same server to a random address; `egress_failed`: our egress has failed meanwhile; null: not probed. */
export type RandomProbe = 'accepted' | 'rejected' | 'unusable' | 'egress_failed' | null;

/** What a probe has shown. */
export interface ProbeOutcome {
  end: ProbeEnd;
  /** null when no connection was attempted; without a host when earlier rejections are the reason. */
  evidence: SmtpEvidence | null;
  random: RandomProbe;
  /** Whether the host that replied offers SMTPUTF8; null: there was no reply to EHLO. */
  smtputf8: boolean | null;
  /** Of `dns_error`: the name servers that were queried, each with its last response. */
  dnsError?: string | undefined;
  /** All rejections of us through one egress, also those before the result; missing in what is stored. */
  rejections?: readonly ServerEvidence[];
}

/** The evidence of a server that was dialled. */
export interface ServerEvidence extends SmtpEvidence {
  stage: SmtpStage;
  mxHost: string;
  tls: boolean;
}

export function isOfServer(evidence: SmtpEvidence | null): evidence is ServerEvidence {
  return evidence !== null && evidence.mxHost !== null;
}

/** Decides before which hosts the search ends. */
export interface HostGate {
  /**
   * Waits until the host, which has an address, may be dialled; false: the search ends here, because the hosts that
   * follow may be used only after this one.
   */
  acquire(mxHost: string): Promise<boolean>;
}

export interface ProbeRequest extends RecordedRequester {
  recipient: EmailAddress;
  /** In the order of preference; at least one. */
  hosts: readonly MxRecord[];
  /** Of the egress. Default: every host may be dialled. */
  gate?: HostGate;
  /** Whether to probe a random address when the real one was accepted. */
  probeRandom: boolean;
  /** The deadline in `Clock.monotonicMs`; the signal aborts then at the latest. */
  deadlineMs: number;
}
