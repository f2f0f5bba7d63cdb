import type { UserId } from '../../../../kernel/principal.js';
import type { SignInLink, SignInRequest } from './sign-in-link.js';

export type ClaimedRequest = Pick<SignInRequest, 'id' | 'expiresAt'> & {
  request: Pick<SignInRequest, 'email' | 'language' | 'source'> | null;
};

/** Port: requested and sent sign-in links. */
export abstract class SignInLinkRepository {
  abstract addRequest(request: SignInRequest): Promise<void>;

  /** Some pending requests, locked until the unit of work ends. `request` null: it cannot be decrypted. */
  abstract claimRequests(now: Date, limit: number): Promise<ClaimedRequest[]>;

  /** Stores a link, in place of the request with its id if there is one. */
  abstract addSent(link: SignInLink): Promise<void>;

  /** The newest valid link of the user; null: there is none that can be decrypted. */
  abstract findLatestSent(user: UserId, now: Date): Promise<SignInLink | null>;

  abstract delete(id: string): Promise<void>;

  /** The user of a link; null when it is unknown, used or expired. */
  abstract findUser(tokenDigest: Buffer, now: Date): Promise<UserId | null>;

  /**
   * Removes the link and the user's other links. Of concurrent callers, one gets it.
   *
   * @returns the ids of the removed links; null when the link was used.
   */
  abstract consume(tokenDigest: Buffer, userId: UserId): Promise<string[] | null>;
}
