import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ReportEntry } from '../../../kernel/outcome-report.js';
import { CertificateUnavailable, EventNotTrusted } from './domain/outcome-intake.errors.js';
import { EventReader, type ArrivedRequest } from './domain/providers/event-reader.js';
import type { SnsMessage } from './domain/providers/provider.js';
import { isConfirmationUrl, requireSns } from './domain/providers/sns-signature.js';
import { SnsEndpoint } from './domain/sns-endpoint.js';
import type { OutcomeSource } from './domain/sources/source.js';

/** The events of a request that was proven to come from the provider. */
export interface TrustedEvents {
  events: readonly ReportEntry[];
  /** A text that may be used once; null: a request may be repeated. */
  onceOnly: string | null;
}

/** Certificates that a process remembers; Amazon changes its own about once a year. */
const MAX_CERTIFICATES = 20;

/** Reads the events of a provider, after its signature or credential has been checked. */
@Injectable()
export class ProviderEventsService {
  private readonly certificates = new Map<string, string>();

  constructor(
    private readonly reader: EventReader,
    private readonly sns: SnsEndpoint,
    private readonly clock: Clock,
  ) {}

  /** @throws EventNotTrusted, InvalidRequest, TooManyOutcomes, CertificateUnavailable, ReadingTooCostly, RateLimited */
  async read(source: OutcomeSource, request: ArrivedRequest): Promise<TrustedEvents> {
    const { events, onceOnly, sns } = await this.reader.read(source, request, this.clock.now());
    if (sns !== null) await this.requireAmazon(sns);
    return { events, onceOnly };
  }

  private async requireAmazon({ signature, subscribeUrl }: SnsMessage): Promise<void> {
    requireSns(signature, await this.certificate(signature.certificateUrl));
    if (subscribeUrl === null) return;
    if (!isConfirmationUrl(subscribeUrl)) throw new EventNotTrusted('invalid_signature');
    if ((await this.get(subscribeUrl)) === null) throw new CertificateUnavailable();
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
