import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal, PublishableRules } from '../../../kernel/principal.js';
import { RateLimited, SecretKeyRequired } from '../../../kernel/errors.js';
import { allowOrigin } from '../../../platform/http/cross-origin.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { clientNetworkOf } from '../../../platform/net/client-network.js';
import {
  PublishableKeysService,
  type RequestDecision,
} from '../publishable-keys/publishable-keys.service.js';
import { TeamLimitsService } from './team-limits.service.js';
import { rateFields, type Policy } from './domain/rate-fields.js';
import { DAY_SECONDS, MINUTE_SECONDS } from '../../../kernel/durations.js';

const LIMITS = {
  client_minute: 'This client address has sent as many requests as the key allows in a minute.',
  client_day: 'This client address has sent as many requests as the key allows in a day.',
  key_day: 'The key has sent as many requests as it may in a day.',
};
const TEAM_SHARE =
  'The publishable keys of this team together have sent more requests than their share of the rate of its tier.';

/**
 * Checks the origin of a request with a publishable key, and then three limits: the rate of the team,
 * and those of the client and of the key. What one refuses does not count for the others: one client
 * cannot use up the requests of the team, nor a busy team the day of the key.
 */
@Injectable()
export class PublishableGuard implements CanActivate {
  constructor(
    private readonly keys: PublishableKeysService,
    private readonly limits: TeamLimitsService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const { principal } = request;
    const rules = principal?.publishable ?? null;
    if (principal === undefined || rules === null) return true;
    const { headers, query, ip = '' } = request;
    const response = http.getResponse<Response>();
    response.set(rateFields(policiesOf(rules, null)));
    this.keys.requireOrigin(rules, headers.origin);
    allowOrigin(response, headers.origin);
    // The service checks the members of a body.
    if (query.refresh === 'true' || query.refresh === '1' || query.max_age !== undefined)
      throw new SecretKeyRequired();
    const client = clientNetworkOf(ip);
    this.admit(this.keys.knownRefusal(principal, client), rules, response);
    await this.consumeFromTeam(principal, rules, response);
    const decision = await this.keys
      .consumeRequest(principal, rules, client)
      .catch(async (error: unknown) => {
        await this.limits.giveBackPublishable(principal);
        throw error;
      });
    if (decision.refusedBy !== null) await this.limits.giveBackPublishable(principal);
    this.admit(decision, rules, response);
    return true;
  }

  /** @param decision null: no limit is known to be reached. @throws RateLimited */
  private admit(decision: RequestDecision | null, rules: PublishableRules, response: Response): void {
    if (decision === null) return;
    response.set(rateFields(policiesOf(rules, decision)));
    if (decision.refusedBy !== null)
      throw new RateLimited(secondsToWait(decision), LIMITS[decision.refusedBy]);
  }

  /** @throws RateLimited */
  private async consumeFromTeam(
    principal: Principal,
    rules: PublishableRules,
    response: Response,
  ): Promise<void> {
    const refusal = await this.limits.consumePublishable(principal);
    if (refusal === null) return;
    this.keys.countTeamRefusal();
    const { retryAfterSeconds } = refusal;
    // What the client has left is not read for a request that is refused anyway.
    const state = { remaining: 0, resetAfterSeconds: retryAfterSeconds };
    const [burst, daily] = policiesOf(rules, null);
    response.set(rateFields([{ ...burst, state }, daily]));
    throw new RateLimited(retryAfterSeconds, TEAM_SHARE);
  }
}

function secondsToWait({ refusedBy, minute, day }: RequestDecision): number {
  return refusedBy === 'client_minute' ? minute.secondsLeft : day.secondsLeft;
}

/** The limits of this client. Those of the team are not for the visitors of a page. */
export function policiesOf(
  { perAddress }: PublishableRules,
  decision: RequestDecision | null,
): [burst: Policy, daily: Policy] {
  const inMinute = decision && stateOf(decision.minute);
  const inDay = decision && stateOf(decision.day);
  if (inDay !== null && decision?.refusedBy === 'key_day') inDay.remaining = 0;
  return [
    { name: 'burst', quota: perAddress.perMinute, windowSeconds: MINUTE_SECONDS, state: inMinute },
    { name: 'daily', quota: perAddress.perDay, windowSeconds: DAY_SECONDS, state: inDay },
  ];
}

function stateOf({ remaining, secondsLeft }: RequestDecision['minute']) {
  return { remaining, resetAfterSeconds: secondsLeft };
}
