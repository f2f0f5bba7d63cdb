import type { ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { ProviderRequest } from './provider-events.js';
import type { SnsMessage } from './provider.js';
import { PROVIDERS, type SourceKind } from './providers.js';

/** The source to whose URL the request was sent. */
export interface RequestedSource {
  kind: SourceKind;
  secret: string | null;
}

export interface ReadRequest {
  events: readonly ReportEntry[];
  /** A text that may be used once; null: the request may be repeated. */
  onceOnly: string | null;
  /** The events count only after its signature was checked; null: the request is from the provider. */
  sns: SnsMessage | null;
}

/** Checks the signature or credential of a request, and reads its events. @throws EventNotTrusted, InvalidRequest, TooManyOutcomes */
export function readRequest(
  { kind, secret }: RequestedSource,
  request: ProviderRequest,
  now: Date,
): ReadRequest {
  const { verify, read } = PROVIDERS[kind];
  const { body, onceOnly = null, sns = null } = verify(request, { secret, now });
  return { events: read(body), onceOnly, sns };
}
