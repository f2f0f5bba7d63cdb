import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { ProviderRequest } from './provider-events.js';

/** What a message of Amazon SNS is verified with. */
export interface SnsSignature {
  algorithm: string;
  /** The members that are signed, as one text. */
  text: string;
  signature: Buffer;
  certificateUrl: string;
}

/** A message of Amazon SNS whose certificate must be fetched. */
export interface SnsMessage {
  signature: SnsSignature;
  /** The URL that confirms a subscription; null: it is a notification. */
  subscribeUrl: string | null;
}

/** What a request is checked with. */
export interface Proof {
  /** Of the source; null: it has none. */
  secret: string | null;
  now: Date;
}

/** What was proven to come from the provider. */
export interface ProvenEvents {
  body: unknown;
  /** A text that may be used once; missing: the request may be repeated. */
  onceOnly?: string;
  /** Of Amazon, whose certificate is not known yet: the events count only if the signature is right. */
  sns?: SnsMessage;
}

/** A provider whose events are understood. Each has one file, and a line in `providers.ts`. */
export interface Provider<Kind extends string = string> {
  kind: Kind;
  /** What it signs with, or sends as a credential; for the description of the API. */
  secretIs: string;
  /** What is wrong with a secret; null: nothing. */
  secretError: (secret: string | null) => string | null;
  /** @throws EventNotTrusted, InvalidRequest, TooManyOutcomes */
  verify: (request: ProviderRequest, proof: Proof) => ProvenEvents;
  /** What the events state, in the words of `provider-events.ts`. @throws TooManyOutcomes */
  read: (body: unknown) => ReportEntry[];
}
