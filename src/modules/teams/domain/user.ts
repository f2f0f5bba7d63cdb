import { newId } from '../../../kernel/ids.js';
import type { UserId } from '../../../kernel/language.js';

export class User {
  readonly id: UserId = newId('usr');

  constructor(
    readonly email: string,
    readonly createdAt: Date,
  ) {}
}
