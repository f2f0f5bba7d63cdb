import { canonicalEmail } from '../../../engine/address/canonical-email.js';
import type { RowResult } from '../../../kernel/list-files/list-entry.js';
import { REASON_TABLE, type Verdict } from '../../../kernel/verdict.js';
import { toResponse as toVerdict } from '../../verification/verification/single/verification.dto.js';
import { mailboxFactsOf, reachableOf, reachableWithoutVerdict } from './domain/reachable.js';

/** What a result has of its request. */
export interface OutputContext {
  requestId: string;
  /** The host of the service. */
  server: string;
}

interface CoreError {
  type: string;
  message: string;
}

interface SmtpDetails {
  can_connect_smtp: boolean;
  has_full_inbox: boolean;
  is_catch_all: boolean;
  is_deliverable: boolean;
  is_disabled: boolean;
}

type Smtp = SmtpDetails | { error: CoreError };

/** A result in the form of Reacher. */
export type CheckOutput = ReturnType<typeof toOutput>;

const NO_ADDRESS: CoreError = { type: 'no_address', message: 'The text has no address.' };
const NOT_VERIFIED: CoreError = {
  type: 'not_verified',
  message: 'The list ended before the address was verified.',
};

export function toOutput(verdict: Verdict, { requestId, server }: OutputContext) {
  const { checks, dns, durationMs, verifiedAt, reason } = verdict;
  const startedAt = new Date(verifiedAt.getTime() - durationMs);
  return {
    input: verdict.email,
    is_reachable: reachableOf(verdict),
    misc: {
      is_disposable: checks.disposable,
      is_role_account: checks.role,
      is_b2c: checks.free,
      gravatar_url: null,
      haveibeenpwned: null,
    },
    mx: { accepts_mail: dns.mx.length > 0, records: dns.mx.map(({ host }) => `${host}.`) },
    smtp: smtpOf(verdict),
    syntax: {
      address: verdict.normalizedEmail,
      domain: verdict.domain ?? '',
      is_valid_syntax: verdict.normalizedEmail !== null,
      username: verdict.localPart ?? '',
      // With Reacher it names a mailbox, in whatever spelling it is given.
      normalized_email: canonicalEmail(verdict) ?? verdict.normalizedEmail,
      suggestion: verdict.didYouMean,
    },
    debug: {
      start_time: startedAt.toISOString(),
      end_time: verifiedAt.toISOString(),
      duration: { secs: Math.floor(durationMs / 1_000), nanos: (durationMs % 1_000) * 1_000_000 },
      server_name: server,
      rcpt: { reason, checks: toVerdict(verdict).checks, request_id: requestId },
    },
  };
}

function smtpOf(verdict: Verdict): Smtp {
  const facts = mailboxFactsOf(verdict);
  const { reason: type } = verdict;
  if (facts === null) return { error: { type, message: REASON_TABLE[type].explanation } };
  return {
    can_connect_smtp: facts.canConnect,
    has_full_inbox: facts.hasFullInbox,
    is_catch_all: facts.isCatchAll,
    is_deliverable: facts.isDeliverable,
    is_disabled: facts.isDisabled,
  };
}

/** A row of a list that has ended. @param endedAt of the list. */
export function toRowOutput({ email, verdict }: RowResult, endedAt: Date, context: OutputContext) {
  if (verdict !== null) return toOutput({ ...verdict, email }, context);
  const isReachable = reachableWithoutVerdict(email);
  const time = endedAt.toISOString();
  const { requestId: request_id, server: server_name } = context;
  return {
    input: email,
    is_reachable: isReachable,
    misc: {
      is_disposable: false,
      is_role_account: false,
      is_b2c: false,
      gravatar_url: null,
      haveibeenpwned: null,
    },
    mx: { accepts_mail: false, records: [] },
    smtp: { error: isReachable === 'invalid' ? NO_ADDRESS : NOT_VERIFIED },
    syntax: {
      address: null,
      domain: '',
      is_valid_syntax: false,
      username: '',
      normalized_email: null,
      suggestion: null,
    },
    debug: {
      start_time: time,
      end_time: time,
      duration: { secs: 0, nanos: 0 },
      server_name,
      rcpt: { reason: null, checks: null, request_id },
    },
  };
}
