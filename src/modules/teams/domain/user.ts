import { newId } from '../../../kernel/ids.js';
import type { UserId } from '../../../kernel/principal.js';

export class User {
  readonly id: UserId = newId('usr');

  constructor(
    readonly email: string,
    readonly createdAt: Date,
    /**
     * Since when somebody vouches for the address: the operator, or a link that was sent there; null:
     * whoever signed up says so. Of confirmed users each has an address of their own, in any letter
     * case; nothing that rests on an address attaches to an unconfirmed one, or is blocked by one.
     */
    public confirmedAt: Date | null,
  ) {}
}
