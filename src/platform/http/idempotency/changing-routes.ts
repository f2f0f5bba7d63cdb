import {
  applyDecorators,
  Delete as NestDelete,
  Patch as NestPatch,
  Post as NestPost,
  UseInterceptors,
} from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { RequestContextInterceptor } from '../request/request-context.interceptor.js';

/** The request context is open while the handler runs. Interceptors are not global because they take time in each call. */
export const InRequestContext = () => UseInterceptors(RequestContextInterceptor);

/** A POST route that supports `Idempotency-Key`. */
export const Post = (path?: string) =>
  applyDecorators(NestPost(path), UseInterceptors(RequestContextInterceptor, IdempotencyInterceptor));

/** A POST route without a key, so without `Idempotency-Key`. */
export const PublicPost = (path?: string) => applyDecorators(NestPost(path), InRequestContext());

export const Patch = (path?: string) => applyDecorators(NestPatch(path), InRequestContext());

export const Delete = (path?: string) => applyDecorators(NestDelete(path), InRequestContext());
