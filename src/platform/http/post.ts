import { applyDecorators, Post as NestPost, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/**
 * A POST, done once under an `Idempotency-Key`. Only these carry one, and an interceptor is dear: on
 * every route it would cost a remembered verdict a fifth of its time.
 */
export const Post = (path?: string) =>
  applyDecorators(NestPost(path), UseInterceptors(IdempotencyInterceptor));
