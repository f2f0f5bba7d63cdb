import { newId } from '../../../../kernel/ids.js';
import type { UserId } from '../../../../kernel/principal.js';

export class User {
  readonly id: UserId = newId('usr');

  constructor(
    public email: string,
    readonly createdAt: Date,
    /**
     * When the address was confirmed by the operator or by a link; null: only claimed at sign-up.
     * Confirmed users have unique addresses, in any letter case; an unconfirmed user gains no rights
     * from an address and blocks nobody from using it.
     */
    public confirmedAt: Date | null,
  ) {}
}
