import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { BodyGuard } from './body.guard.js';
import { bufferedBody } from './raw-body.js';
import type { AuthenticatedRequest } from '../request/request-log.js';

const MAX_BYTES = 10_000;
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Whether the request was sent by an HTML form and expects an HTML response. */
export function isForm({ headers }: Request): boolean {
  return FORM.test(headers['content-type'] ?? '');
}

/** Reads JSON or form fields as the body, for routes that HTML forms post to. */
@Injectable()
export class FormBodyGuard extends BodyGuard {
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    return isForm(request) ? this.readForm(request) : super.canActivate(context);
  }

  private async readForm(request: AuthenticatedRequest): Promise<true> {
    const form = await bufferedBody(request, MAX_BYTES);
    request.body = Object.fromEntries(new URLSearchParams(form.toString()));
    return true;
  }
}
