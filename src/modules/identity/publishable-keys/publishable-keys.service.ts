import { Injectable } from '@nestjs/common';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { KeyedLimiter } from '../../../kernel/concurrency/keyed-limiter.js';
import { OriginNotAllowed, RateLimited } from '../../../kernel/errors.js';
import { Meter } from '../../../kernel/meter.js';
import type { KeyId, Principal, PublishableRules, TeamId } from '../../../kernel/principal.js';
import {
  PublishableStore,
  type AddressLimits,
  type RequestedAddress,
  type RequestDecision,
} from './domain/publishable-store.js';

export type { RequestDecision } from './domain/publishable-store.js';

const RETRY_SECONDS = 1;
const IN_PROGRESS =
  'This team has as many requests with publishable keys under way as it may at the same time.';

/**
 * Visitors of a sign-up form have addresses of many domains, and a few of them share a company, a family
 * or a school. A search for the mailboxes of a domain needs hundreds of its addresses. At least two
 * clients are needed to reach the limit of a key.
 */
const OF_A_DOMAIN: AddressLimits = { perClient: 10, perKey: 20 };

/**
 * Many visitors have an address of a mailbox provider, so a limit for the key would affect legitimate
 * visitors. The visitors behind one NAT share the limit of a client.
 */
const OF_A_PROVIDER: AddressLimits = { perClient: 20, perKey: null };

/** Of the ten connections of a process; operations on lists use four others. */
const STATEMENTS = { total: 4, perKey: 2 };
/** Running and waiting calls of a team. */
const CALLS = { total: Number.POSITIVE_INFINITY, perKey: 100 };

interface ClientRequest {
  teamId: TeamId;
  client: string;
  rules: Pick<PublishableRules, 'perAddress' | 'perDay'>;
}

/** Limits what the visitors of a page can do with the key in it. */
@Injectable()
export class PublishableKeysService {
  /** By team: the visitors of one team's pages must not make the requests of other teams wait. */
  private readonly calls = new KeyedLimiter(CALLS);
  private readonly statements = new FairSemaphore(STATEMENTS);

  /** Statements of one key lock its row, so concurrent ones would wait, each with a connection. */
  private readonly requests = new BatchedWriter<ClientRequest, RequestDecision>({
    write: (requests, key) => this.consumeAll(requests, key),
  });

  constructor(
    private readonly store: PublishableStore,
    private readonly meter: Meter,
  ) {}

  /** @param origin the header `Origin`. @throws OriginNotAllowed */
  requireOrigin({ allowedOrigins }: PublishableRules, origin: string | undefined): void {
    if (origin !== undefined && allowedOrigins.includes(origin)) return;
    this.meter.count('rcpt_publishable_rejections_total', 'origin');
    throw new OriginNotAllowed();
  }

  /** A limit that the client or the key is known to have reached; null: none. */
  knownRefusal({ keyId }: Principal, client: string): RequestDecision | null {
    const refusal = this.store.findCachedRefusal(keyId, client);
    this.countRefusal(refusal);
    return refusal;
  }

  /** The rate of the team refuses a request. */
  countTeamRefusal(): void {
    this.meter.count('rcpt_publishable_rejections_total', 'team_rate');
  }

  /**
   * Counts a request of a client, unless a limit is reached.
   *
   * @param client its network. @throws RateLimited when too many calls of the team wait.
   */
  async consumeRequest(
    { keyId, teamId }: Pick<Principal, 'keyId' | 'teamId'>,
    rules: ClientRequest['rules'],
    client: string,
  ): Promise<RequestDecision> {
    const decision = await this.limited(
      teamId,
      async () =>
        this.store.findCachedRefusal(keyId, client) ?? this.requests.add(keyId, { teamId, client, rules }),
    );
    this.countRefusal(decision);
    return decision;
  }

  /**
   * Whether the address may be answered. Refuses a client, or all clients of a key, that verify many
   * addresses of one domain.
   *
   * @param isMailboxProvider many visitors of a page have addresses of this domain.
   * @throws RateLimited when too many calls of the team wait.
   */
  mayVerify(
    { keyId, teamId }: Principal,
    requested: Omit<RequestedAddress, 'key'>,
    isMailboxProvider: boolean,
  ): Promise<boolean> {
    const limits = isMailboxProvider ? OF_A_PROVIDER : OF_A_DOMAIN;
    return this.limited(teamId, () =>
      this.statements.run(teamId, () => this.store.consumeAddress({ key: keyId, ...requested }, limits)),
    );
  }

  /** Deletes counters of past windows. @returns the number of rows. */
  deleteExpired(): Promise<number> {
    return this.store.deleteExpired();
  }

  private countRefusal(decision: RequestDecision | null): void {
    if (decision === null || decision.refusedBy === null) return;
    this.meter.count('rcpt_publishable_rejections_total', decision.refusedBy);
  }

  /** @param requests of one key, whose rules and team do not change. */
  private consumeAll(requests: readonly ClientRequest[], key: KeyId): Promise<RequestDecision[]> {
    const [{ teamId, rules }] = requests as readonly [ClientRequest];
    const clients = requests.map(({ client }) => client);
    return this.statements.run(teamId, () => this.store.consumeRequests(key, clients, rules));
  }

  /** @throws RateLimited when too many calls of the team run or wait. */
  private async limited<T>(team: TeamId, call: () => Promise<T>): Promise<T> {
    if (!this.calls.tryAcquire(team)) {
      this.meter.count('rcpt_publishable_rejections_total', 'in_progress');
      throw new RateLimited(RETRY_SECONDS, IN_PROGRESS);
    }
    try {
      return await call();
    } finally {
      this.calls.release(team);
    }
  }
}
