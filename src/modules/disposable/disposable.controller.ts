import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/request/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/paging/cursor.js';
import { Paged } from '../../platform/http/paging/next-page.js';
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
  @ApiOperation({
    operationId: 'countPendingOverrides',
    summary: 'The number of overrides that the operator has not reviewed',
  })
  @ApiOkResponse({ type: PendingOverrides, description: 'The overrides of the team.' })
  async pending(@Caller() caller: Principal): Promise<PendingOverrides> {
    return { pending: await this.disposable.countPending(caller) };
  }

  @Get()
  @Paged()
  @ApiOperation({ operationId: 'listOverrides', summary: 'The overrides of the team' })
  @ApiOkResponse({ type: DisposableOverridePage, description: 'Newest first.' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<DisposableOverridePage> {
    const scope = `disposable ${caller.teamId}`;
    const page = await this.disposable.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @ApiOperation({ operationId: 'addOverride', summary: 'Declare a domain disposable or not disposable' })
  @ApiCreatedResponse({ type: DisposableOverrideResponse, description: 'The override applies to the team.' })
  async add(
    @Body() body: DisposableOverrideAdd,
    @Caller() caller: Principal,
  ): Promise<DisposableOverrideResponse> {
    return toResponse(await this.disposable.add(caller, body));
  }

  @Delete(':domain')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeOverride', summary: 'Remove an override' })
  @ApiNoContentResponse({ description: 'The team has no override for this domain.' })
  remove(@Param() { domain }: OverriddenDomain, @Caller() caller: Principal): Promise<void> {
    return this.disposable.remove(caller, domain);
  }
}
