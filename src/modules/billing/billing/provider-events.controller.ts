import { Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Public } from '../../../platform/http/request/route-policy.js';
import { bufferedBody } from '../../../platform/http/body/raw-body.js';
import { StreamsBody } from '../../../platform/http/body/streamed-body.js';
import { InvalidSignature, MissingSignature } from './domain/billing.errors.js';
import { BillingService } from './billing.service.js';

const MAX_BYTES = 256_000;

@ApiTags('Billing')
@Controller('webhooks')
export class ProviderEventsController {
  constructor(private readonly billing: BillingService) {}

  @Post('stripe')
  @Public()
  // The signature covers the bytes, so the body is not parsed.
  @StreamsBody()
  @Operation('receiveStripeEvent', 'Receive a signed event of Stripe')
  @Ok('The event was received. Events of unknown customers are ignored.')
  async receive(@Req() request: Request): Promise<void> {
    const signature = request.headers['stripe-signature'];
    if (typeof signature !== 'string') throw new MissingSignature();
    // Without a payment provider no signature is valid, so that the body of a stranger is not read.
    if (!this.billing.isConfigured) throw new InvalidSignature();
    await this.billing.receive(signature, await bufferedBody(request, MAX_BYTES));
  }
}
