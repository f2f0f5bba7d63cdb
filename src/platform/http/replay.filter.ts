import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptAnswer } from '../database/idempotency-marks.js';
import { pathOf } from './request-log.js';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** An answer that was given before, thrown past everything that would have been done to find it. */
export class ReplayedAnswer extends Error {
  constructor(readonly answer: KeptAnswer) {
    super('answered before');
  }
}

@Catch(ReplayedAnswer)
export class ReplayFilter implements ExceptionFilter<ReplayedAnswer> {
  catch({ answer }: ReplayedAnswer, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
    reply.header('Idempotency-Replayed', 'true');
    reply.code(answer.status).send(bodyFor(answer, request));
  }
}

/** A problem names the request that it answers. */
function bodyFor({ headers, body }: KeptAnswer, request: FastifyRequest): string | undefined {
  if (body === null || headers['content-type'] !== PROBLEM_TYPE) return body ?? undefined;
  const problem = JSON.parse(body) as object;
  return JSON.stringify({ ...problem, instance: pathOf(request), request_id: request.id });
}
