import { applyDecorators, Post as NestPost, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/**
 * A POST route that supports `Idempotency-Key`. The interceptor is not global because it would add a
 * fifth to the time of a cached verdict.
 */
export const Post = (path?: string) =>
  applyDecorators(NestPost(path), UseInterceptors(IdempotencyInterceptor));
