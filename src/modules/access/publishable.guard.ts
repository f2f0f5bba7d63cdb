import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { PublishableRules } from '../../kernel/principal.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { SecretKeyRequired } from '../../kernel/secret-key-required.js';
import { allowOrigin } from '../../platform/http/cross-origin.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { clientNetworkOf } from '../../platform/net/client-network.js';
import {
  PublishableKeysService,
  type RequestDecision,
} from '../publishable-keys/publishable-keys.service.js';
import { limitField, policyField, type Policy } from './domain/rate-fields.js';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/**
 * Checks the origin of a request with a publishable key, and the limits of its client and of the key. It
 * runs before the rate limit of the team, so that one client cannot use up the requests of the team.
 */
@Injectable()
export class PublishableGuard implements CanActivate {
  constructor(private readonly keys: PublishableKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal, headers, query, ip = '' } = http.getRequest<AuthenticatedRequest>();
    const rules = principal?.publishable ?? null;
    if (principal === undefined || rules === null) return true;
    const response = http.getResponse<Response>();
    this.keys.requireOrigin(rules, headers.origin);
    allowOrigin(response, headers.origin);
    // That of a body is the service's to refuse.
    if (query.refresh === 'true' || query.refresh === '1') throw new SecretKeyRequired();
    const decision = await this.keys.takeRequest(principal, rules, clientNetworkOf(ip));
    report(response, rules, decision);
    if (decision.refusedBy !== null) throw new RateLimited(secondsToWait(decision));
    return true;
  }
}

function secondsToWait({ refusedBy, minute, day }: RequestDecision): number {
  return refusedBy === 'client_minute' ? minute.secondsLeft : day.secondsLeft;
}

/** The limits of this client. Those of the team are not for the visitors of a page. */
function report(
  response: Response,
  { perAddress }: PublishableRules,
  { refusedBy, minute, day }: RequestDecision,
): void {
  const perDay = refusedBy === 'key_day' ? 0 : day.remaining;
  const policies: Policy[] = [
    {
      name: 'burst',
      quota: perAddress.perMinute,
      windowSeconds: MINUTE_SECONDS,
      state: { remaining: minute.remaining, resetAfterSeconds: minute.secondsLeft },
    },
    {
      name: 'daily',
      quota: perAddress.perDay,
      windowSeconds: DAY_SECONDS,
      state: { remaining: perDay, resetAfterSeconds: day.secondsLeft },
    },
  ];
  response.setHeader('RateLimit-Policy', policyField(policies));
  response.setHeader('RateLimit', limitField(policies));
}
