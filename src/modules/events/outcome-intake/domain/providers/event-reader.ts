import type { TeamId } from '../../../../../kernel/principal.js';
import type { ReadRequest, RequestedSource } from './read-request.js';

/** A request of a provider, as it arrived. */
export interface ArrivedRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The URL of the source, as the team was told it. */
  url: string;
}

/** Port: reads requests of providers. */
export abstract class EventReader {
  /** As `readRequest`. @throws what that throws, and ReadingTooCostly */
  abstract read(
    source: RequestedSource & { teamId: TeamId },
    request: ArrivedRequest,
    now: Date,
  ): Promise<ReadRequest>;
}
