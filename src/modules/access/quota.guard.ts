import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessWords } from '../../platform/http/access.js';
import type { AuthenticatedRequest } from '../../platform/http/request-log.js';
import { UsageService } from '../usage/usage.service.js';

/** Is anything left today? The exact reservation is the service's, which knows how much it takes. */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly usage: UsageService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { cost } = accessWords(this.reflector, context);
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (principal?.mode === 'live' && cost > 0) await this.usage.requireSome(principal);
    return true;
  }
}
