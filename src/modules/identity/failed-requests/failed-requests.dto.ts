import type { StoredFailedRequest } from '../../../kernel/failed-requests.js';
import { PageQuery, pageOf } from '../../../platform/http/paging/cursor.js';
import { Id, Matching, Schema, Text, Time, WholeNumber } from '../../../platform/http/validation/fields.js';

export class FailedRequestQuery extends PageQuery {
  @Matching(/^[A-Za-z0-9._-]{1,64}$/, {
    optional: true,
    message: 'Send the request_id of an error, or the header X-Request-Id of a response.',
    description: '`request_id` of a problem, or `X-Request-Id` of a response.',
  })
  request_id?: string;

  @Matching(/^[a-z][a-z_]{0,63}$/, {
    optional: true,
    message: 'Send the code of a problem, such as daily_quota_exceeded.',
    description: '`code` of a problem, such as `daily_quota_exceeded`.',
  })
  code?: string;
}

@Schema('FailedRequest')
export class FailedRequestResponse {
  @Id('req')
  id: string;

  @Text({ description: '`X-Request-Id`. A client may send its own, so several requests can have the same.' })
  request_id: string;

  @Time({ description: 'The end of the response.' })
  at: string;

  @Id('key', { description: 'The key, which may be deleted by now.' })
  key_id: string;

  @Text({ example: 'GET' })
  method: string;

  @Text({ nullable: true, description: 'The template of the route.', example: '/v1/bulk-jobs/:id' })
  route: string | null;

  @WholeNumber({ min: 400, max: 599 })
  status: number;

  @Text({
    nullable: true,
    description: '`code` of the problem; null: the response ended before its body.',
    example: 'daily_quota_exceeded',
  })
  code: string | null;

  @WholeNumber({ min: 0, description: 'Milliseconds.' })
  duration_ms: number;
}

@Schema('FailedRequestPage')
export class FailedRequestPage extends pageOf(FailedRequestResponse) {}

export function toResponse(request: StoredFailedRequest): FailedRequestResponse {
  const { id, requestId, at, keyId, method, route, status, code, durationMs } = request;
  return {
    id,
    request_id: requestId,
    at: at.toISOString(),
    key_id: keyId,
    method,
    route,
    status,
    code,
    duration_ms: durationMs,
  };
}
