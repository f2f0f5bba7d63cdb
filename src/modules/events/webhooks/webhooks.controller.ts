import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Accepted, Created, NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import {
  AllowTestKeys,
  Caller,
  Scope,
  NotFromLimitedNetworks,
} from '../../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  DeliveriesQuery,
  RetriedResponse,
  RetryFailed,
  toFilter,
} from './deliveries/deliveries-query.dto.js';
import { WebhookDeliveriesService } from './deliveries/webhook-deliveries.service.js';
import {
  DeliveriesPage,
  DeliveryDetailResponse,
  DeliveryResponse,
  NewWebhookResponse,
  toDelivery,
  toDeliveryDetail,
  toNewResponse,
  toResponse,
  toResponseWithDeliveries,
  WebhookCreate,
  WebhookResponse,
  WebhooksPage,
  WebhookUpdate,
  WebhookWithDeliveriesResponse,
} from './subscriptions/webhooks.dto.js';
import { WebhooksService } from './subscriptions/webhooks.service.js';

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Scope('read', 'webhooks')
  @Operation('listWebhooks', 'The webhooks of the team')
  @PageOf('Newest first.', WebhooksPage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<WebhooksPage> {
    const scope = `webhooks ${caller.teamId}`;
    const page = await this.webhooks.list(caller.teamId, this.cursors.request(query, scope));
    const summaryOf = await this.deliveries.summariesOf(page.items);
    return this.cursors.pageResponse(page, scope, (one) => toResponseWithDeliveries(one, summaryOf(one.id)));
  }

  @Post()
  @NotFromLimitedNetworks()
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('createWebhook', 'Create a webhook')
  @Created('The webhook with its secret, shown once.', NewWebhookResponse, '/v1/webhooks')
  async create(@Body() body: WebhookCreate, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.create(caller, body));
  }

  @Get(':id')
  @Scope('read', 'webhooks')
  @Operation('getWebhook', 'One webhook')
  @Ok('The current state.', WebhookWithDeliveriesResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookWithDeliveriesResponse> {
    const webhook = await this.webhooks.get(caller, id);
    const summaryOf = await this.deliveries.summariesOf([webhook]);
    return toResponseWithDeliveries(webhook, summaryOf(id));
  }

  @Patch(':id')
  @NotFromLimitedNetworks()
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('updateWebhook', 'Change a webhook')
  @Ok('The changed webhook.', WebhookResponse)
  async change(
    @Param('id') id: string,
    @Body() body: WebhookUpdate,
    @Caller() caller: Principal,
  ): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.change(caller, id, body));
  }

  @Delete(':id')
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('deleteWebhook', 'Delete a webhook and its deliveries')
  @NoContent('The webhook was deleted.')
  remove(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  @Post(':id/test')
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('testWebhook', 'Send a webhook.test event')
  @Accepted('The pending delivery.', DeliveryResponse)
  async test(@Param('id') id: string, @Caller() caller: Principal): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.test(caller, id));
  }

  @Post(':id/rotate-secret')
  @NotFromLimitedNetworks()
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('rotateWebhookSecret', 'Rotate the secret; the old secret stays valid for 24 hours')
  @Ok('The webhook with its new secret, shown once.', NewWebhookResponse)
  async rotateSecret(@Param('id') id: string, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.rotateSecret(caller, id));
  }

  @Get(':id/deliveries')
  @Scope('read', 'webhooks')
  @Operation('listDeliveries', 'The deliveries of the last 30 days')
  @PageOf('Newest first.', DeliveriesPage)
  async listDeliveries(
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
    @Caller() caller: Principal,
  ): Promise<DeliveriesPage> {
    const filter = toFilter(query);
    const scope = `deliveries ${caller.teamId} ${id} ${JSON.stringify(filter)}`;
    const page = await this.deliveries.list(caller, id, filter, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toDelivery);
  }

  @Post(':id/retry-failed')
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('retryFailedDeliveries', 'Retry the failed deliveries since a time, each with one attempt')
  @Accepted('How many are retried, the oldest first; at most 5,000 wait at a time.', RetriedResponse)
  async retryFailed(
    @Param('id') id: string,
    @Body() { since }: RetryFailed,
    @Caller() caller: Principal,
  ): Promise<RetriedResponse> {
    return { retried: await this.deliveries.retryFailed(caller, id, new Date(since)) };
  }

  @Get(':id/deliveries/:delivery_id')
  @Scope('read', 'webhooks')
  @Operation('getDelivery', 'One delivery, with its event')
  @Ok('The current state.', DeliveryDetailResponse)
  async getDelivery(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryDetailResponse> {
    return toDeliveryDetail(await this.deliveries.get(caller, id, deliveryId));
  }

  @Post(':id/deliveries/:delivery_id/retry')
  @Scope('webhooks')
  @AllowTestKeys()
  @Operation('retryDelivery', 'Retry a delivery immediately')
  @Accepted('The pending delivery.', DeliveryResponse)
  async retry(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.retry(caller, id, deliveryId));
  }
}
