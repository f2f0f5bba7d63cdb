import { Injectable, type CanActivate } from '@nestjs/common';
import { BillingUnconfigured } from './billing.errors.js';
import { BillingService } from './billing.service.js';

/** Is anything sold here? Asked before the body is looked at: no body would make it so. */
@Injectable()
export class BillingConfiguredGuard implements CanActivate {
  constructor(private readonly billing: BillingService) {}

  canActivate(): boolean {
    if (!this.billing.isConfigured) throw new BillingUnconfigured();
    return true;
  }
}
