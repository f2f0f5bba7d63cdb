import {
  applyDecorators,
  HttpCode,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';

/** Adds `Location` (RFC 9110 §10.2.2). The reference is path-absolute, like `Link`. */
export class LocationInterceptor implements NestInterceptor<{ id: string }> {
  constructor(private readonly path: string) {}

  intercept(context: ExecutionContext, next: CallHandler<{ id: string }>): Observable<{ id: string }> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap(({ id }) => response.location(`${this.path}/${id}`)));
  }
}

/** The decorators of a route for the OpenAPI document. Those of a response also set its status. */
export function Operation(operationId: string, summary: string, description?: string): MethodDecorator {
  return ApiOperation({ operationId, summary, ...(description !== undefined && { description }) });
}

/** 200. Without a type the response has no schema. */
export const Ok = (description: string, type?: Type) => respondsWith(200, description, type);

/** 201. @param path of the collection: `Location` is this path and the `id` of the response. */
export function Created(description: string, type: Type, path?: string): MethodDecorator {
  const response = respondsWith(201, description, type);
  return path === undefined
    ? response
    : applyDecorators(response, UseInterceptors(new LocationInterceptor(path)));
}

/** 202. */
export const Accepted = (description: string, type?: Type) => respondsWith(202, description, type);

/** 204. */
export const NoContent = (description: string) => respondsWith(204, description);

function respondsWith(status: number, description: string, type?: Type): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiResponse({ status, description, ...(type && { type }) }));
}
