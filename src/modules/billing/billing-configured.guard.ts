import { Injectable, type CanActivate } from '@nestjs/common';
import { BillingUnconfigured } from './domain/billing.errors.js';
import { BillingService } from './billing.service.js';

/** Refuses billing requests when billing is not configured, before the body is read. */
@Injectable()
export class BillingConfiguredGuard implements CanActivate {
  constructor(private readonly billing: BillingService) {}

  canActivate(): boolean {
    if (!this.billing.isConfigured) throw new BillingUnconfigured();
    return true;
  }
}
