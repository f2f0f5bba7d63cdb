import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Accepted, Created, NoContent, Ok, Operation } from '../../platform/http/openapi/operation.js';
import { Caller, AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../platform/http/paging/cursor.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryDetailResponse,
  DeliveryResponse,
  NewWebhookResponse,
  toDelivery,
  toDeliveryDetail,
  toNewResponse,
  toResponse,
  WebhookCreate,
  WebhookResponse,
  WebhooksPage,
  WebhookUpdate,
} from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Operation('listWebhooks', 'The webhooks of the team')
  @PageOf('Newest first.', WebhooksPage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<WebhooksPage> {
    const scope = `webhooks ${caller.teamId}`;
    const page = await this.webhooks.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @AllowTestKeys()
  @Operation('createWebhook', 'Create a webhook')
  @Created('The webhook with its secret, shown once.', NewWebhookResponse, '/v1/webhooks')
  async create(@Body() body: WebhookCreate, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.create(caller, body));
  }

  @Get(':id')
  @Operation('getWebhook', 'One webhook')
  @Ok('The current state.', WebhookResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.get(caller, id));
  }

  @Patch(':id')
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
  @AllowTestKeys()
  @Operation('deleteWebhook', 'Delete a webhook and its deliveries')
  @NoContent('The webhook was deleted.')
  remove(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  @Post(':id/test')
  @AllowTestKeys()
  @Operation('testWebhook', 'Send a webhook.test event')
  @Accepted('The pending delivery.', DeliveryResponse)
  async test(@Param('id') id: string, @Caller() caller: Principal): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.test(caller, id));
  }

  @Post(':id/rotate-secret')
  @AllowTestKeys()
  @Operation('rotateWebhookSecret', 'Rotate the secret; the old secret stays valid for 24 hours')
  @Ok('The webhook with its new secret, shown once.', NewWebhookResponse)
  async rotateSecret(@Param('id') id: string, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.rotateSecret(caller, id));
  }

  @Get(':id/deliveries')
  @Operation('listDeliveries', 'The deliveries of the last 30 days')
  @PageOf('Newest first.', DeliveriesPage)
  async listDeliveries(
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
    @Caller() caller: Principal,
  ): Promise<DeliveriesPage> {
    const status = query.status ?? null;
    const scope = `deliveries ${caller.teamId} ${id} ${status}`;
    const page = await this.deliveries.list(caller, id, status, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toDelivery);
  }

  @Get(':id/deliveries/:delivery_id')
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
