import { Injectable } from '@nestjs/common';
import { PUBLISHABLE_SHARE, type Principal } from '../../kernel/principal.js';
import { SecretKeyRequired } from '../../kernel/errors.js';
import type { Verdict } from '../../kernel/verdict.js';
import { PublishableKeysService } from '../publishable-keys/publishable-keys.service.js';
import type { EmailAddress } from '../../engine/address/email-address.js';
import { VerificationService } from './verification.service.js';

export interface PublishableRequest {
  email: string | undefined;
  refresh: boolean;
  timeoutMs: number;
  /** The network of the client. */
  client: string;
}

/** Verifies an address for the visitor of a page. */
@Injectable()
export class PublishableVerificationService {
  constructor(
    private readonly verification: VerificationService,
    private readonly keys: PublishableKeysService,
  ) {}

  /**
   * The verdict is `unknown / rate_limited` if the client or key has verified many addresses of the domain.
   *
   * @throws SecretKeyRequired for several addresses or `refresh`
   * @throws RateLimited, DailyQuotaExceeded
   */
  async verify(
    caller: Principal,
    { email, refresh, timeoutMs, client }: PublishableRequest,
  ): Promise<Verdict> {
    if (email === undefined || refresh) throw new SecretKeyRequired();
    const mayVerify = ({ domain, key: address }: EmailAddress, isMailboxProvider: boolean) =>
      this.keys.mayVerify(caller, { client, domain, address }, isMailboxProvider);
    const probes = this.verification.probesOf(caller, PUBLISHABLE_SHARE);
    return this.verification.verify(caller, { email, refresh, timeoutMs, probes, mayVerify });
  }
}
