import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/http/request/route-policy.js';
import { bufferedBody } from '../../platform/http/body/raw-body.js';
import { StreamsBody } from '../../platform/http/body/streamed-body.js';
import { MissingSignature } from './domain/billing.errors.js';
import { BillingService } from './billing.service.js';

const MAX_BYTES = 256_000;

@ApiTags('Billing')
@Controller('webhooks')
export class ProviderEventsController {
  constructor(private readonly billing: BillingService) {}

  @Post('stripe')
  @Public()
  @HttpCode(200)
  // The signature covers the bytes, so the body is not parsed.
  @StreamsBody()
  @ApiOperation({ operationId: 'receiveStripeEvent', summary: 'Receive a signed event of Stripe' })
  @ApiOkResponse({ description: 'The event was received. Events of unknown customers are ignored.' })
  async receive(@Req() request: Request): Promise<void> {
    const signature = request.headers['stripe-signature'];
    if (typeof signature !== 'string') throw new MissingSignature();
    await this.billing.receive(signature, () => bufferedBody(request, MAX_BYTES));
  }
}
