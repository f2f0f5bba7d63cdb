import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/errors.js';
import { CertificateUnavailable, EventNotTrusted } from './domain/outcome-intake.errors.js';
import {
  NOT_AN_OUTCOME,
  notTooMany,
  objectIn,
  type ProviderRequest,
  type TrustedEvents,
} from './domain/providers/provider-events.js';
import {
  brevoEvents,
  mailgunEvents,
  postmarkEvents,
  resendEvents,
  sendgridEvents,
  sesEvents,
  sparkpostEvents,
} from './domain/providers/read-events.js';
import {
  kumomtaEvents,
  mailersendEvents,
  mailjetEvents,
  mailtrapEvents,
  mandrillEvents,
  postalEvents,
} from './domain/providers/read-more-events.js';
import {
  isConfirmationUrl,
  isSnsType,
  requireCredential,
  requireMailersend,
  requireMailgun,
  requireMailtrap,
  requireMandrill,
  requirePostal,
  requirePostalTime,
  requireResend,
  requireSendgrid,
  requireSns,
  snsSignatureOf,
} from './domain/providers/signatures.js';
import type { OutcomeSource } from './domain/source.js';
import { SnsEndpoint } from './domain/sns-endpoint.js';

/** Of providers that send a credential instead of a signature. */
const UNSIGNED = {
  postmark: postmarkEvents,
  brevo: brevoEvents,
  sparkpost: sparkpostEvents,
  mailjet: mailjetEvents,
  kumomta: kumomtaEvents,
};

/** Certificates that a process remembers; Amazon changes its own about once a year. */
const MAX_CERTIFICATES = 20;

/** Reads the events of a provider, after its signature or credential has been checked. */
@Injectable()
export class ProviderEventsService {
  private readonly certificates = new Map<string, string>();

  constructor(
    private readonly sns: SnsEndpoint,
    private readonly clock: Clock,
  ) {}

  /** @throws EventNotTrusted, InvalidRequest, CertificateUnavailable */
  async read({ kind, secret }: OutcomeSource, request: ProviderRequest): Promise<TrustedEvents> {
    const now = this.clock.now();
    const json = () => parse(request.body);
    const key = secret ?? '';
    switch (kind) {
      case 'sendgrid':
        requireSendgrid(request, key, now);
        return { events: sendgridEvents(json()), onceOnly: null };
      case 'resend':
        requireResend(request, key, now);
        return { events: resendEvents(json()), onceOnly: null };
      case 'mailgun': {
        const body = json();
        const onceOnly = requireMailgun(body, key, now);
        return { events: mailgunEvents(body), onceOnly };
      }
      case 'postal': {
        requirePostal(request, key);
        const body = json();
        requirePostalTime(objectIn(body).timestamp, now);
        return { events: postalEvents(body), onceOnly: null };
      }
      case 'mandrill':
        return { events: mandrillEvents(parse(Buffer.from(requireMandrill(request, key)))), onceOnly: null };
      case 'mailersend': {
        const { isTest } = requireMailersend(request, key);
        const body = json();
        if (isTest && objectIn(body).type !== 'webhook.test') throw new EventNotTrusted('invalid_signature');
        return { events: mailersendEvents(body), onceOnly: null };
      }
      case 'mailtrap':
        requireMailtrap(request, key);
        return {
          events: mailtrapEvents(isJsonLines(request) ? linesOf(request.body) : json()),
          onceOnly: null,
        };
      case 'ses':
        return { events: await this.readSns(json(), now), onceOnly: null };
      default:
        requireCredential(request, secret);
        return { events: UNSIGNED[kind](json()), onceOnly: null };
    }
  }

  private async readSns(body: unknown, now: Date): Promise<TrustedEvents['events']> {
    const { Type: type, Message: message, SubscribeURL: subscribe } = objectIn(body);
    if (!isSnsType(type)) throw new EventNotTrusted('unsigned');
    const signature = snsSignatureOf(body, type, now);
    requireSns(signature, await this.certificate(signature.certificateUrl));
    if (type === 'Notification') return sesEvents(objectIn(parse(Buffer.from(String(message)))));
    if (!isConfirmationUrl(subscribe)) throw new EventNotTrusted('invalid_signature');
    if ((await this.get(subscribe)) === null) throw new CertificateUnavailable();
    return [NOT_AN_OUTCOME];
  }

  /** @returns null: Amazon has none there. */
  private async certificate(url: string): Promise<string | null> {
    const known = this.certificates.get(url);
    if (known !== undefined) return known;
    const certificate = await this.get(url);
    if (certificate === null) return null;
    if (this.certificates.size >= MAX_CERTIFICATES) this.certificates.clear();
    this.certificates.set(url, certificate);
    return certificate;
  }

  private get(url: string): Promise<string | null> {
    return this.sns.get(url).catch(() => {
      throw new CertificateUnavailable();
    });
  }
}

function isJsonLines({ header }: ProviderRequest): boolean {
  return /^application\/jsonl\b/i.test(header('content-type') ?? '');
}

/** @throws InvalidRequest, TooManyOutcomes */
function linesOf(body: Buffer): unknown[] {
  const lines = body
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return notTooMany(lines).map((line) => parse(Buffer.from(line)));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidRequest([{ pointer: '', code: 'invalid_format', message: 'Send JSON in UTF-8.' }]);
  }
}
