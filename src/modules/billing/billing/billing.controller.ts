import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { InRequestContext } from '../../../platform/http/request/request-context.interceptor.js';
import { Caller, Role } from '../../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import { keyedRequests } from '../../../platform/http/idempotency/keyed-request.js';
import {
  BillingLink,
  BillingPortalRequest,
  BillingSubscribe,
  InvoicePage,
  PlanList,
  toPlanResponse,
  toResponse,
} from './billing.dto.js';
import { PlansService } from './plans.service.js';
import { BillingService, type DeriveIdempotencyKey } from './billing.service.js';

const once: DeriveIdempotencyKey = (purpose) => keyedRequests.value?.derivedKey(purpose) ?? null;

@ApiTags('Billing')
@Controller('v1/billing')
@Role('admin')
export class BillingController {
  constructor(
    private readonly billing: BillingService,
    private readonly plans: PlansService,
    private readonly cursors: Cursors,
  ) {}

  @Post('subscribe')
  @MultipleTransactions()
  @Operation('subscribe', 'Create a checkout, or a portal session if the team has a subscription')
  @Ok('Redirect the customer to this URL.', BillingLink)
  async subscribe(@Body() body: BillingSubscribe, @Caller() caller: Principal): Promise<BillingLink> {
    const { tier, success_url: successUrl = null, cancel_url: cancelUrl = null } = body;
    return { url: await this.billing.subscribe(caller, { tier, successUrl, cancelUrl }, once) };
  }

  @Post('portal')
  @MultipleTransactions()
  @ApiBody({ type: BillingPortalRequest, required: false })
  @Operation('openPortal', 'Create a portal session to change or cancel the subscription')
  @Ok('Redirect the customer to this URL; it expires soon.', BillingLink)
  async portal(@Body() body: BillingPortalRequest, @Caller() caller: Principal): Promise<BillingLink> {
    return { url: await this.billing.portal(caller, body.return_url ?? null, once) };
  }

  @Get('plans')
  @InRequestContext()
  @Operation('listPlans', 'The plan of the team, and those on sale, with their limits and prices')
  @Ok('In ascending order.', PlanList)
  async listPlans(@Caller() caller: Principal): Promise<PlanList> {
    return { data: (await this.plans.list(caller)).map(toPlanResponse) };
  }

  @Get('invoices')
  @InRequestContext()
  @Operation('listInvoices', 'The team’s invoices')
  @PageOf('Newest first.', InvoicePage)
  async invoices(@Query() query: PageQuery, @Caller() caller: Principal): Promise<InvoicePage> {
    const scope = `invoices ${caller.teamId}`;
    const page = await this.billing.invoices(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }
}
