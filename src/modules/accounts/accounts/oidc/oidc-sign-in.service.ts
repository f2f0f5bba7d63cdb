import { Injectable } from '@nestjs/common';
import { parseEmailAddress, type EmailAddress } from '../../../../engine/address/email-address.js';
import { Clock } from '../../../../kernel/clock.js';
import { newId } from '../../../../kernel/ids.js';
import type { UserId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { MailboxOwnersService } from '../../../identity/teams/users/mailbox-owners.service.js';
import { isSameAddress, UsersService, type User } from '../../../identity/teams/users/users.service.js';
import {
  IdentityProvider,
  OidcRefused,
  type Identity,
  type SignInAttempt,
} from '../domain/identity-provider.js';
import { SIGN_IN_TOKEN, signInUrl } from '../domain/sign-in-link.js';
import { SignInLinkRepository } from '../domain/sign-in-link.repository.js';

/** The browser is redirected to the console at once. */
const TOKEN_MS = 120_000;

/** Sign-in to the console with an identity provider. It ends with the token of a sign-in link. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly links: SignInLinkRepository,
    private readonly users: UsersService,
    private readonly owners: MailboxOwnersService,
    private readonly teams: TeamsService,
    private readonly config: Config,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.config.oidc !== null;
  }

  /** @throws OidcRefused */
  begin(): Promise<{ url: string; attempt: SignInAttempt }> {
    return this.provider.begin();
  }

  /**
   * @returns the URL of the console that signs the person in.
   * @throws OidcRefused
   */
  async finish(query: string, attempt: SignInAttempt): Promise<string> {
    const address = this.addressOf(await this.provider.finish(query, attempt));
    return this.work.run(async () => {
      const userId = (await this.memberWith(address)) ?? (await this.join(address));
      const token = SIGN_IN_TOKEN.create();
      const expiresAt = new Date(this.clock.now().getTime() + TOKEN_MS);
      await this.links.addSent({ id: newId('sgn'), userId, token, expiresAt });
      return signInUrl(this.config.publicUrl, token);
    });
  }

  /** @throws OidcRefused */
  private addressOf({ email, isVerified }: Identity): EmailAddress {
    const parsed = email === null ? null : parseEmailAddress(email);
    // A text that is not in NFC, such as a Kelvin sign for K, would be the address of somebody else in NFC.
    if (parsed?.ok !== true || parsed.address.mailboxAsWritten !== null) throw new OidcRefused('no_address');
    if (!isVerified) throw new OidcRefused('not_verified');
    const allowedDomains = this.config.oidc?.allowedDomains ?? [];
    const { address } = parsed;
    if (allowedDomains.length > 0 && !allowedDomains.includes(address.domain))
      throw new OidcRefused('foreign_domain');
    return address;
  }

  private async memberWith(address: EmailAddress): Promise<UserId | null> {
    const member = await this.owners.find(address.mailbox);
    return member && requireSame(member, address).id;
  }

  /** @throws OidcRefused */
  private async join(address: EmailAddress): Promise<UserId> {
    const role = this.config.oidc?.role ?? null;
    if (role === null) throw new OidcRefused('not_a_member');
    // The operator has chosen the provider, which has verified the address. Locks the address.
    const { id } = requireSame(await this.users.confirmedByOperator(address.mailbox), address);
    // A concurrent sign-in of the same person may have joined before the lock.
    const isMember = (await this.teams.ofUser(id)).length > 0;
    if (!isMember && !(await this.teams.addToFirst(id, role))) throw new OidcRefused('not_a_member');
    return id;
  }
}

/** @throws OidcRefused */
function requireSame(user: User, { mailbox }: EmailAddress): User {
  if (!isSameAddress(user.email, mailbox)) throw new OidcRefused('not_a_member');
  return user;
}
