import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../platform/http/documented.js';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, TestKeysToo } from '../../platform/http/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryResponse,
  NewWebhookResponse,
  toDelivery,
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
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Where the team hears of what happens' })
  @ApiOkResponse({ standardSchema: WebhooksPage, description: 'Newest first.' })
  async list(
    @Query({ schema: PageQuery }) query: z.infer<typeof PageQuery>,
    @Caller() caller: Principal,
  ): Promise<WebhooksPage> {
    const scope = `webhooks ${caller.teamId}`;
    const page = await this.webhooks.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toResponse);
  }

  @Post()
  @TestKeysToo()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'createWebhook', summary: 'Hear of what happens' })
  @ApiCreatedResponse({
    standardSchema: NewWebhookResponse,
    description: 'With its secret, shown this once.',
  })
  async create(
    @Body({ schema: WebhookCreate }) body: z.infer<typeof WebhookCreate>,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookResponse> {
    const issued = await this.webhooks.create(caller, toInput(body));
    response.location(`/v1/webhooks/${issued.webhook.id}`);
    return toNewResponse(issued);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook', summary: 'One webhook' })
  @ApiOkResponse({ standardSchema: WebhookResponse, description: 'As it stands.' })
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.get(caller, id));
  }

  @Patch(':id')
  @TestKeysToo()
  @ApiOperation({ operationId: 'updateWebhook', summary: 'Change where, what, or whether' })
  @ApiOkResponse({ standardSchema: WebhookResponse, description: 'As it is now.' })
  async change(
    @Param('id') id: string,
    @Body({ schema: WebhookUpdate }) body: z.infer<typeof WebhookUpdate>,
    @Caller() caller: Principal,
  ): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.change(caller, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @TestKeysToo()
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Remove a webhook and its deliveries' })
  @ApiNoContentResponse({ description: 'Removed.' })
  remove(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  @Post(':id/test')
  @HttpCode(202)
  @TestKeysToo()
  @ApiOperation({ operationId: 'testWebhook', summary: 'Send it a webhook.test event' })
  @ApiAcceptedResponse({ standardSchema: DeliveryResponse, description: 'The delivery, which is under way.' })
  async test(@Param('id') id: string, @Caller() caller: Principal): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.test(caller, id));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @TestKeysToo()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Put a new secret in the place of the old one, which signs too for 24 hours',
  })
  @ApiOkResponse({ standardSchema: NewWebhookResponse, description: 'With the new secret, shown this once.' })
  async rotateSecret(@Param('id') id: string, @Caller() caller: Principal): Promise<NewWebhookResponse> {
    return toNewResponse(await this.webhooks.rotateSecret(caller, id));
  }

  @Get(':id/deliveries')
  @ApiOperation({ operationId: 'listDeliveries', summary: 'What was sent in the last 30 days' })
  @ApiOkResponse({ standardSchema: DeliveriesPage, description: 'Newest first.' })
  async listDeliveries(
    @Param('id') id: string,
    @Query({ schema: DeliveriesQuery }) query: z.infer<typeof DeliveriesQuery>,
    @Caller() caller: Principal,
  ): Promise<DeliveriesPage> {
    const status = query.status ?? null;
    const scope = `deliveries ${caller.teamId} ${id} ${status}`;
    const page = await this.deliveries.list(caller, id, status, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toDelivery);
  }

  @Post(':id/deliveries/:delivery_id/retry')
  @HttpCode(202)
  @TestKeysToo()
  @ApiOperation({ operationId: 'retryDelivery', summary: 'Send it once more, now' })
  @ApiAcceptedResponse({ standardSchema: DeliveryResponse, description: 'The delivery, which is under way.' })
  async retry(
    @Param('id') id: string,
    @Param('delivery_id') deliveryId: string,
    @Caller() caller: Principal,
  ): Promise<DeliveryResponse> {
    return toDelivery(await this.deliveries.retry(caller, id, deliveryId));
  }
}
