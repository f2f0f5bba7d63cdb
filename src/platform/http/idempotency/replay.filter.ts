import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { StoredResponse } from '../../database/idempotency/idempotency-store.js';
import { PROBLEM_TYPE } from '../problems/problem.filter.js';
import { pathOf, requestId } from '../request/request-log.js';

/** A stored response. It is thrown to skip the handler. */
export class ReplayedResponse extends Error {
  constructor(readonly stored: StoredResponse) {
    super('replayed response');
  }
}

@Catch(ReplayedResponse)
export class ReplayFilter implements ExceptionFilter<ReplayedResponse> {
  catch({ stored }: ReplayedResponse, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    for (const [name, value] of Object.entries(stored.headers)) response.setHeader(name, value);
    response.setHeader('Idempotency-Replayed', 'true');
    response.status(stored.status).end(bodyFor(stored, request, response));
  }
}

/** Sets the members of a problem that depend on the current request. */
function bodyFor(
  { headers, body }: StoredResponse,
  request: Request,
  response: Response,
): string | undefined {
  if (body === null || headers['content-type'] !== PROBLEM_TYPE) return body ?? undefined;
  const problem = JSON.parse(body) as object;
  return JSON.stringify({ ...problem, instance: pathOf(request), request_id: requestId(response) });
}
