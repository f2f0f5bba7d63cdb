import { Body, Controller, Get, HttpCode, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/route-policy.js';
import { BodyGuard } from '../../platform/http/body.guard.js';
import { Cursors, PageQuery } from '../../platform/http/cursor.js';
import { InSteps } from '../../platform/http/idempotency-key.js';
import { Post } from '../../platform/http/post.js';
import { keyedRequest } from '../../platform/http/keyed-request.js';
import { BillingConfiguredGuard } from './billing-configured.guard.js';
import {
  BillingLink,
  BillingPortalRequest,
  BillingSubscribe,
  InvoicePage,
  toResponse,
} from './billing.dto.js';
import { BillingService, type Once } from './billing.service.js';

const once: Once = (purpose) => keyedRequest()?.derivedKey(purpose) ?? null;

@ApiTags('Billing')
@Controller('v1/billing')
@Role('admin')
export class BillingController {
  constructor(
    private readonly billing: BillingService,
    private readonly cursors: Cursors,
  ) {}

  @Post('subscribe')
  @HttpCode(200)
  @InSteps()
  @UseGuards(BillingConfiguredGuard, BodyGuard)
  @ApiOperation({
    operationId: 'subscribe',
    summary: 'Where to buy a tier, or to change the subscription that the team has',
  })
  @ApiOkResponse({ standardSchema: BillingLink, description: 'Send the buyer there.' })
  async subscribe(
    @Body({ schema: BillingSubscribe }) body: z.infer<typeof BillingSubscribe>,
    @Caller() caller: Principal,
  ): Promise<BillingLink> {
    const { tier, success_url: successUrl = null, cancel_url: cancelUrl = null } = body;
    return { url: await this.billing.subscribe(caller, { tier, successUrl, cancelUrl }, once) };
  }

  @Post('portal')
  @HttpCode(200)
  @InSteps()
  @UseGuards(BillingConfiguredGuard, BodyGuard)
  @ApiOperation({ operationId: 'openPortal', summary: 'Where to change or cancel the subscription' })
  @ApiOkResponse({ standardSchema: BillingLink, description: 'Send them there soon.' })
  async portal(
    @Body({ schema: BillingPortalRequest }) body: z.infer<typeof BillingPortalRequest>,
    @Caller() caller: Principal,
  ): Promise<BillingLink> {
    return { url: await this.billing.portal(caller, body.return_url ?? null, once) };
  }

  @Get('invoices')
  @ApiOperation({ operationId: 'listInvoices', summary: 'The team’s invoices' })
  @ApiOkResponse({ standardSchema: InvoicePage, description: 'Newest first.' })
  async invoices(
    @Query({ schema: PageQuery }) query: z.infer<typeof PageQuery>,
    @Caller() caller: Principal,
  ): Promise<InvoicePage> {
    const scope = `invoices ${caller.teamId}`;
    const page = await this.billing.invoices(caller, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toResponse);
  }
}
