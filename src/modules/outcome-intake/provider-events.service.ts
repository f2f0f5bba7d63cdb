import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/errors.js';
import { CertificateUnavailable, EventNotTrusted } from './domain/outcome-intake.errors.js';
import {
  NOT_AN_OUTCOME,
  objectIn,
  type Distrust,
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
  basicDistrust,
  isAmazonUrl,
  isSnsType,
  mailgunDistrust,
  resendDistrust,
  sendgridDistrust,
  snsDistrust,
} from './domain/providers/signatures.js';
import { SnsEndpoint } from './domain/sns-endpoint.js';
import type { OutcomeSource } from './domain/source.js';

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
    const trusted = (events: TrustedEvents['events']) => ({ events, onceOnly: null });
    switch (kind) {
      case 'sendgrid':
        requireTrust(sendgridDistrust(request, secret ?? '', now));
        return trusted(sendgridEvents(json()));
      case 'resend':
        requireTrust(resendDistrust(request, secret ?? '', now));
        return trusted(resendEvents(json()));
      case 'mailgun': {
        const body = json();
        const signed = mailgunDistrust(body, secret ?? '', now);
        if (signed.error !== null) throw new EventNotTrusted(signed.error);
        return { events: mailgunEvents(body), onceOnly: signed.token };
      }
      case 'ses':
        return trusted(await this.readSns(json(), now));
      case 'postmark':
        requireTrust(basicDistrust(request, secret));
        return trusted(postmarkEvents(json()));
      case 'brevo':
        requireTrust(basicDistrust(request, secret));
        return trusted(brevoEvents(json()));
      case 'sparkpost':
        requireTrust(basicDistrust(request, secret));
        return trusted(sparkpostEvents(json()));
    }
  }

  private async readSns(body: unknown, now: Date): Promise<TrustedEvents['events']> {
    const { Type: type, Message: message, SigningCertURL: url, SubscribeURL: subscribe } = objectIn(body);
    if (!isSnsType(type)) throw new EventNotTrusted('unsigned');
    if (!isAmazonUrl(url)) throw new EventNotTrusted('invalid_signature');
    requireTrust(snsDistrust(body, type, await this.certificate(url), now));
    if (type === 'Notification') return sesEvents(objectIn(parse(Buffer.from(String(message)))));
    if (!isAmazonUrl(subscribe)) throw new EventNotTrusted('invalid_signature');
    await this.get(subscribe);
    return [NOT_AN_OUTCOME];
  }

  private async certificate(url: string): Promise<string> {
    const known = this.certificates.get(url);
    if (known !== undefined) return known;
    const certificate = await this.get(url);
    if (this.certificates.size >= MAX_CERTIFICATES) this.certificates.clear();
    this.certificates.set(url, certificate);
    return certificate;
  }

  private get(url: string): Promise<string> {
    return this.sns.get(url).catch(() => {
      throw new CertificateUnavailable();
    });
  }
}

function requireTrust(distrust: Distrust | null): void {
  if (distrust !== null) throw new EventNotTrusted(distrust);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidRequest([{ pointer: '', code: 'invalid_format', message: 'Send JSON in UTF-8.' }]);
  }
}
