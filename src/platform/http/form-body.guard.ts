import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Soon } from '../../kernel/soon.js';
import { BodyGuard } from './body.guard.js';
import { bufferedBody } from './raw-body.js';
import type { AuthenticatedRequest } from './request-log.js';

const MOST_BYTES = 10_000;
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Whether a page's form sent this, and a person waits for a page. */
export function isForm({ headers }: Request): boolean {
  return FORM.test(headers['content-type'] ?? '');
}

/** For a route that a page without script posts to: reads a form's fields too, as the members of a body. */
@Injectable()
export class FormBodyGuard extends BodyGuard {
  override canActivate(context: ExecutionContext): Soon<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    return isForm(request) ? this.readForm(request) : super.canActivate(context);
  }

  private async readForm(request: AuthenticatedRequest): Promise<true> {
    const form = await bufferedBody(request, MOST_BYTES);
    request.body = Object.fromEntries(new URLSearchParams(form.toString()));
    return true;
  }
}
