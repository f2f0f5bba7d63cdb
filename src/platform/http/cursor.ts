import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError, type ErrorFact } from '../../kernel/domain-error.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { SecretKeys } from '../secrets/secret-keys.js';

export class InvalidCursor extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'invalid_cursor',
    kind: 'invalid',
    title: 'The cursor is not one of ours',
    help: 'Send `next_cursor` of the page before, unchanged, to the same list with the same filters and a key of the same team; or leave `cursor` out to begin anew.',
  };
  constructor() {
    super('Send next_cursor of the page before, unchanged, or leave cursor out.');
  }
}

/** The query parameters of every list; a list with filters extends it. */
export const PageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'Send a whole number from 1 to 100.')
    .default('25')
    .transform(Number)
    .meta({ description: 'Rows on a page, 1–100.' }),
  cursor: z.string().max(500).optional().meta({ description: '`next_cursor` of the page before.' }),
});

/** The answer of every list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });
}

/**
 * Turns positions into opaque cursors and back. A cursor carries a MAC over the
 * position and the scope it was made for, so that it can neither be made up nor
 * be carried to another team's list or to other filters.
 */
@Injectable()
export class Cursors {
  constructor(private readonly keys: SecretKeys) {}

  /** @param scope the list, the team and the filters, as one text. @throws InvalidCursor */
  request(query: { limit: number; cursor?: string | undefined }, scope: string): PageRequest {
    return { limit: query.limit, after: query.cursor === undefined ? null : this.read(query.cursor, scope) };
  }

  answer<T, R>(page: Page<T>, scope: string, toResponse: (item: T) => R) {
    const next = page.next && `${page.next.at.getTime()}.${page.next.id}`;
    return {
      data: page.items.map(toResponse),
      has_more: next !== null,
      next_cursor:
        next && Buffer.from(`${next}.${this.keys.signCursor(`${scope} ${next}`)}`).toString('base64url'),
    };
  }

  private read(cursor: string, scope: string): PageRequest['after'] {
    const [, position, ms, id, mac] =
      /^((\d{1,15})\.([a-z]+_[0-9A-Za-z]+|[a-z0-9.-]+))\.([\w-]{22})$/.exec(
        Buffer.from(cursor, 'base64url').toString('latin1'),
      ) ?? [];
    if (position === undefined || mac !== this.keys.signCursor(`${scope} ${position}`))
      throw new InvalidCursor();
    return { at: new Date(Number(ms)), id: id ?? '' };
  }
}
