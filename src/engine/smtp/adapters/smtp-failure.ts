import type { SmtpStage } from '../../../kernel/verdict.js';

/**
 * Why a session ended without a reply.
 *
 * `unreachable`: no connection; `egress_failed`: our own proxy failed; `timeout`: connected, but no reply
 * in time; `lost`: the server closed the connection; `protocol`: the reply is not SMTP, or replies and
 * commands do not match; `tls`: the handshake failed.
 */
export type SmtpFailureKind = 'unreachable' | 'egress_failed' | 'timeout' | 'lost' | 'protocol' | 'tls';

export class SmtpFailure extends Error {
  constructor(
    readonly kind: SmtpFailureKind,
    readonly stage: SmtpStage,
    message: string,
  ) {
    super(message);
  }
}

/** Replies of pipelined recipients that cannot be assigned with certainty. */
export class AmbiguousReply extends SmtpFailure {
  constructor() {
    super('protocol', 'rcpt', 'not all pipelined commands were answered');
  }
}

/** @throws errors other than SmtpFailure, which are bugs. */
export function failureOf(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  throw error;
}
