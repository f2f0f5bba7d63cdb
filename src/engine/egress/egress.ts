import type { MailboxProber } from '../smtp/mailbox-prober.js';

/** An egress to mail servers, with its own connections, limits and identity. */
export interface Egress extends Pick<MailboxProber, 'probe'> {
  /** Identifies it for counters, breakers and the choice of an egress; not shown. */
  readonly key: string;
  /** Contains no address of a proxy. */
  readonly name: string;
  /** Whether connections go through a proxy, so that a lost one may be the proxy's fault. */
  readonly isProxied: boolean;
  /** Whether connections through it have failed, and it is paused. */
  isOut(nowMs: number): boolean;
}

/** Port: the configured egresses, at least one. */
export abstract class Egresses {
  abstract readonly all: readonly Egress[];

  /** Closes the idle connections. */
  abstract close(): Promise<void>;
}
