import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

export class MalformedReport extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'malformed_report',
    status: 400,
    title: 'The report cannot be read',
    detail: 'The body is no message (RFC 5322), or its parts are nested too deeply.',
    help: 'Send one message as it arrived (RFC 5322), with all of its headers, as `message/rfc822`.',
  };
}

export class TooManyOutcomes extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'too_many_outcomes',
    status: 413,
    title: 'The body has too many rows or events',
    help: '`limit` is the maximum number. The rows of a file before it are stored: send the file in parts, what is stored already is a duplicate. Of the events of a provider nothing is stored.',
  };

  constructor(limit: number) {
    super(`A body may have at most ${limit} rows or events. Split it.`, { members: { limit } });
  }
}

const DISTRUST = {
  unsigned: 'The request has no signature or credential of the provider.',
  invalid_signature: 'The signature or credential does not match the body and the secret of the source.',
  too_old: 'The signed time is too old, or in the future.',
  repeated: 'The signed token was used before.',
} as const;

export class EventNotTrusted extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_event_signature',
    status: 401,
    title: 'The events are not signed by the provider',
    help: 'The signature or credential is missing or does not match, the signed time is too old, or the request was sent before. Compare the secret of the source with the one at the provider. Nothing was stored.',
  };
  constructor(why: keyof typeof DISTRUST) {
    super(DISTRUST[why]);
  }
}

export class CertificateUnavailable extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'certificate_unavailable',
    status: 503,
    title: 'Amazon SNS does not respond',
    detail: 'The certificate or the confirmation could not be fetched from Amazon SNS.',
    help: 'The certificate of a signature, or the URL that confirms a subscription, could not be fetched from Amazon. Amazon sends the event again.',
    retryAfter: 30,
  };
}
