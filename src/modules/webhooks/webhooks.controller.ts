import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { Caller, AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/paging/cursor.js';
import { Paged } from '../../platform/http/paging/next-page.js';
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
  toInput,
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
  @Paged()
  @ApiOperation({ operationId: 'listWebhooks', summary: 'The webhooks of the team' })
  @ApiOkResponse({ type: WebhooksPage, description: 'Newest first.' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<WebhooksPage> {
    const scope = `webhooks ${caller.teamId}`;
    const page = await this.webhooks.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @AllowTestKeys()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Create a webhook' })
  @ApiCreatedResponse({
    type: NewWebhookResponse,
    description: 'The webhook with its secret, shown once.',
  })
  async create(
    @Body() body: WebhookCreate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookResponse> {
    const issued = await this.webhooks.create(caller, toInput(body));
    response.location(`/v1/webhooks/${issued.webhook.id}`);
    return toNewResponse(issued);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook', summary: 'One webhook' })
  @ApiOkResponse({ type: WebhookResponse, description: 'The current state.' })
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.get(caller, id));
  }

  @Patch(':id')
  @AllowTestKeys()
  @ApiOperation({ operationId: 'updateWebhook', summary: 'Change a webhook' })
  @ApiOkResponse({ type: WebhookResponse, description: 'The changed webhook.' })
  async change(
    @Param('id') id: string,
    @Body() body: WebhookUpdate,
    @Caller() caller: Principal,
  ): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.change(caller, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @AllowTestKeys()
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Delete a webhook and its deliveries' })
  @ApiNoContentResponse({ description: 'The webhook was deleted.' })
  remove(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  @Post(':id/test')
  @HttpCode(202)
  @AllowTestKeys()
  @ApiOperation({ operationId: 'testWebhook', summary: 'Send a webhook.test event' })
  @ApiAcceptedResponse({ type: DeliveryResponse, description: 'The pending delivery.' })
  async test(@Param('id') id: string, @Caller() caller: Principal): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.test(caller, id));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @AllowTestKeys()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret; the old secret stays valid for 24 hours',
  })
  @ApiOkResponse({ type: NewWebhookResponse, description: 'The webhook with its new secret, shown once.' })
  async rotateSecret(@Param('id') id: string, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.rotateSecret(caller, id));
  }

  @Get(':id/deliveries')
  @Paged()
  @ApiOperation({ operationId: 'listDeliveries', summary: 'The deliveries of the last 30 days' })
  @ApiOkResponse({ type: DeliveriesPage, description: 'Newest first.' })
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
  @ApiOperation({ operationId: 'getDelivery', summary: 'One delivery, with its event' })
  @ApiOkResponse({ type: DeliveryDetailResponse, description: 'The current state.' })
  async getDelivery(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryDetailResponse> {
    return toDeliveryDetail(await this.deliveries.get(caller, id, deliveryId));
  }

  @Post(':id/deliveries/:delivery_id/retry')
  @HttpCode(202)
  @AllowTestKeys()
  @ApiOperation({ operationId: 'retryDelivery', summary: 'Retry a delivery immediately' })
  @ApiAcceptedResponse({ type: DeliveryResponse, description: 'The pending delivery.' })
  async retry(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.retry(caller, id, deliveryId));
  }
}
