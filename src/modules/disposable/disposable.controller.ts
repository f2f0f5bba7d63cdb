import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
import {
  DisposableOverrideAdd,
  DisposableOverridePage,
  DisposableOverrideResponse,
  OverriddenDomain,
  PendingOverrides,
  toResponse,
} from './disposable.dto.js';
import { DisposableService } from './disposable.service.js';

@ApiTags('Disposable domains')
@Controller('v1/admin/disposable')
@Role('owner')
export class DisposableController {
  constructor(
    private readonly disposable: DisposableService,
    private readonly cursors: Cursors,
  ) {}

  @Get('pending')
  @ApiOperation({ operationId: 'countPendingOverrides', summary: 'How many overrides wait for the operator' })
  @ApiOkResponse({ standardSchema: PendingOverrides, description: 'The team’s own.' })
  async pending(@Caller() caller: Principal): Promise<PendingOverrides> {
    return { pending: await this.disposable.countPending(caller) };
  }

  @Get()
  @ApiOperation({ operationId: 'listOverrides', summary: 'What the team says about domains' })
  @ApiOkResponse({ standardSchema: DisposableOverridePage, description: 'Newest first.' })
  async list(
    @Query({ schema: PageQuery }) query: z.infer<typeof PageQuery>,
    @Caller() caller: Principal,
  ): Promise<DisposableOverridePage> {
    const scope = `disposable ${caller.teamId}`;
    const page = await this.disposable.list(caller, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toResponse);
  }

  @Post()
  @ApiOperation({ operationId: 'addOverride', summary: 'Say that a domain is disposable, or is not' })
  @ApiCreatedResponse({ standardSchema: DisposableOverrideResponse, description: 'In force for the team.' })
  async add(
    @Body({ schema: DisposableOverrideAdd }) body: z.infer<typeof DisposableOverrideAdd>,
    @Caller() caller: Principal,
  ): Promise<DisposableOverrideResponse> {
    return toResponse(await this.disposable.add(caller, body));
  }

  @Delete(':domain')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeOverride', summary: 'Leave a domain to the lists again' })
  @ApiNoContentResponse({ description: 'There is no override, whether or not there was one.' })
  remove(
    @Param({ schema: OverriddenDomain }) { domain }: z.infer<typeof OverriddenDomain>,
    @Caller() caller: Principal,
  ): Promise<void> {
    return this.disposable.remove(caller, domain);
  }
}
