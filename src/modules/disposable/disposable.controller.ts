import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Created, NoContent, Ok, Operation } from '../../platform/http/openapi/operation.js';
import { Caller, Role } from '../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../platform/http/paging/cursor.js';
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
  @Operation('countPendingOverrides', 'The number of overrides that the operator has not reviewed')
  @Ok('The overrides of the team.', PendingOverrides)
  async pending(@Caller() caller: Principal): Promise<PendingOverrides> {
    return { pending: await this.disposable.countPending(caller) };
  }

  @Get()
  @Operation('listOverrides', 'The overrides of the team')
  @PageOf('Newest first.', DisposableOverridePage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<DisposableOverridePage> {
    const scope = `disposable ${caller.teamId}`;
    const page = await this.disposable.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @Operation('addOverride', 'Declare a domain disposable or not disposable')
  @Created('The override applies to the team.', DisposableOverrideResponse)
  async add(
    @Body() body: DisposableOverrideAdd,
    @Caller() caller: Principal,
  ): Promise<DisposableOverrideResponse> {
    return toResponse(await this.disposable.add(caller, body));
  }

  @Delete(':domain')
  @Operation('removeOverride', 'Remove an override')
  @NoContent('The team has no override for this domain.')
  remove(@Param() { domain }: OverriddenDomain, @Caller() caller: Principal): Promise<void> {
    return this.disposable.remove(caller, domain);
  }
}
