import type { SmtpStage } from '../../../kernel/verdict.js';

/**
 * Why a dialogue ended without a reply.
 *
 * `unreachable`: no connection came about; `no_way_out`: our own proxy failed; `timeout`: connected, then silence;
 * `lost`: the server broke off; `protocol`: what it said is no SMTP, or out of step;
 * `tls`: the handshake failed.
 */
export type SmtpFailureKind = 'unreachable' | 'no_way_out' | 'timeout' | 'lost' | 'protocol' | 'tls';

export class SmtpFailure extends Error {
  constructor(
    readonly kind: SmtpFailureKind,
    readonly stage: SmtpStage,
    message: string,
  ) {
    super(message);
  }
}

/** The recipient was answered, or another one that was asked about together with it: nobody can tell. */
export class DoubtfulAnswer extends SmtpFailure {
  constructor() {
    super('protocol', 'rcpt', 'not all that went out together was answered');
  }
}

/** @throws what is no SmtpFailure: a fault of ours. */
export function failureOf(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  throw error;
}
