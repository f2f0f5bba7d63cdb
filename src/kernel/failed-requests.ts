import type { Page, PageRequest } from './page.js';
import type { KeyId, TeamId } from './principal.js';

/** A request with a key whose status is 400 or higher. It contains no address: neither URL nor body. */
export interface FailedRequest {
  /** `X-Request-Id`; a client may send its own, so that several requests can have the same one. */
  requestId: string;
  at: Date;
  teamId: TeamId;
  keyId: KeyId;
  /** Of a publishable key, which everybody who opens a page can use. */
  isPublishable: boolean;
  method: string;
  /** The template of the route; null: no route has the path. */
  route: string | null;
  status: number;
  /** `code` of the problem; null: the response was cut off. */
  code: string | null;
  durationMs: number;
}

/** `req_…` */
export type StoredFailedRequest = Omit<FailedRequest, 'isPublishable'> & { id: string };

/** null: all. */
export interface FailedRequestFilter {
  requestId: string | null;
  code: string | null;
}

/** Port: the latest failed requests of each team. */
export abstract class FailedRequests {
  /** Never fails. Of many in a short time, some are not stored, so that they cost little. */
  abstract record(request: FailedRequest): void;

  abstract list(
    teamId: TeamId,
    filter: FailedRequestFilter,
    page: PageRequest,
  ): Promise<Page<StoredFailedRequest>>;
}
