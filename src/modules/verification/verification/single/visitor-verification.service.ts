import { Injectable } from '@nestjs/common';
import type { EmailAddress } from '../../../../engine/address/email-address.js';
import { SecretKeyRequired } from '../../../../kernel/errors.js';
import type { Principal } from '../../../../kernel/principal.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { ProofsService } from '../../proofs/proofs.service.js';
import { PublishableKeysService } from '../../../identity/publishable-keys/publishable-keys.service.js';
import { VerificationService, type VerifyOptions } from './verification.service.js';

export interface Visitor {
  /** The network of the client. */
  client: string;
  /** Of the page; the guard has checked it. */
  origin: string;
}

export interface ProvenVerdict {
  verdict: Verdict;
  /** null: the text is far too long to be an address. */
  proof: string | null;
}

/** Verifies for the visitors of pages, who use publishable keys. */
@Injectable()
export class VisitorVerificationService {
  constructor(
    private readonly verification: VerificationService,
    private readonly publishableKeys: PublishableKeysService,
    private readonly proofs: ProofsService,
  ) {}

  /**
   * Verifies an address. The verdict is `unknown / rate_limited` if the client or key has verified many addresses of
   * the domain.
   *
   * @throws SecretKeyRequired for several addresses (`email` is undefined), `refresh` or `max_age`
   * @throws RateLimited, DailyQuotaExceeded
   */
  async verify(
    caller: Principal,
    email: string | undefined,
    { client, origin }: Visitor,
    options: VerifyOptions,
  ): Promise<ProvenVerdict> {
    if (email === undefined || options.maxAge !== null) throw new SecretKeyRequired();
    const mayVerify = ({ domain, key: address }: EmailAddress, isMailboxProvider: boolean) =>
      this.publishableKeys.mayVerify(caller, { client, domain, address }, isMailboxProvider);
    const [verdict] = await this.verification.verify(caller, [email], { ...options, mayVerify });
    return { verdict: verdict!, proof: await this.proofs.issue(caller, origin, verdict!) };
  }
}
