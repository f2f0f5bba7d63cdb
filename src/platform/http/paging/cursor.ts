import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { DomainError, type ErrorDefinition } from '../../../kernel/errors.js';
import type { Page, PageRequest, Position } from '../../../kernel/page.js';
import { Ok } from '../openapi/operation.js';
import { pathOf, type AuthenticatedRequest } from '../request/request-log.js';
import { Flag, ListOf, PageCursor, PageLimit, Text } from '../validation/fields.js';
import { SecretKeys } from '../../secrets/secret-keys.js';

export class InvalidCursor extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_cursor',
    status: 400,
    title: 'The cursor is not valid',
    detail: 'Send next_cursor of the previous page, unchanged, or omit cursor.',
    help: 'Send `next_cursor` of the previous page, unchanged, to the same list with the same filters and a key of the same team. Omit `cursor` to start at the first page.',
  };
}

/** The query parameters of every list; a list with filters extends it. */
export class PageQuery {
  @PageLimit(100, 25)
  limit = 25;

  @PageCursor()
  cursor?: string;
}

export function pageOf<T extends object>(item: Type<T>) {
  abstract class PageResponse {
    @ListOf(() => item)
    data: T[];

    @Flag({ description: 'Whether there is a next page.' })
    has_more: boolean;

    @Text({ nullable: true, description: '`cursor` of the next page; null: this is the last page.' })
    next_cursor: string | null;
  }
  return PageResponse;
}

/**
 * Converts the keys of pages to opaque cursors and back. A cursor contains a MAC of the
 * key and its scope, so that it cannot be forged or used for the list of
 * another team or with other filters.
 */
@Injectable()
export class Cursors {
  constructor(private readonly keys: SecretKeys) {}

  /** @param scope the list, the team and the filters, as one text. @throws InvalidCursor */
  request({ limit, cursor }: CursorQuery, scope: string): PageRequest {
    if (cursor === undefined) return { limit, after: null };
    const { number, id } = this.read(cursor, scope);
    return { limit, after: { at: new Date(number), id } };
  }

  /** As `request`, of a list whose rows are sorted by their index. */
  rowRequest({ limit, cursor }: CursorQuery, scope: string): PageRequest<number> {
    return { limit, after: cursor === undefined ? null : this.read(cursor, scope).number };
  }

  pageResponse<T, R>(page: Page<T, Position | number>, scope: string, toResponse: (item: T) => R) {
    const next = page.next === null ? null : textOf(page.next);
    return {
      data: page.items.map(toResponse),
      has_more: next !== null,
      next_cursor:
        next && Buffer.from(`${next}.${this.keys.signCursor(`${scope} ${next}`)}`).toString('base64url'),
    };
  }

  private read(cursor: string, scope: string): { number: number; id: string } {
    const [, key, number, id = '', mac] =
      /^((\d{1,15})(?:\.([a-z]+_[0-9A-Za-z]+|[a-z0-9.-]+))?)\.([\w-]{22})$/.exec(
        Buffer.from(cursor, 'base64url').toString('latin1'),
      ) ?? [];
    if (key === undefined || mac !== this.keys.signCursor(`${scope} ${key}`)) throw new InvalidCursor();
    return { number: Number(number), id };
  }
}

interface CursorQuery {
  limit: number;
  cursor?: string | undefined;
}

function textOf(key: Position | number): string {
  return typeof key === 'number' ? `${key}` : `${key.at.getTime()}.${key.id}`;
}

/** Adds a `Link` header with the next page (RFC 8288). The reference is path-absolute, like `Location`. */
export class NextPageInterceptor implements NestInterceptor<{ next_cursor?: string | null }> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<{ next_cursor?: string | null }>,
  ): Observable<object> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    return next.handle().pipe(
      tap(({ next_cursor: cursor }: { next_cursor?: string | null }) => {
        if (typeof cursor !== 'string') return;
        // The same request with another cursor. The query has been validated.
        const query = new URLSearchParams({ ...(request.query as Record<string, string>), cursor });
        const link = `<${pathOf(request)}?${query.toString()}>; rel="next"`;
        http.getResponse<Response>().append('Link', link);
      }),
    );
  }
}

/** 200 with a page of a list. */
export const PageOf = (description: string, type: Type) =>
  applyDecorators(Ok(description, type), UseInterceptors(new NextPageInterceptor()));
