import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Created, NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Role } from '../../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  CandidateId,
  DisposableCandidatePage,
  DisposableCandidateResponse,
  DisposableOverrideAdd,
  DisposableOverridePage,
  DisposableOverrideResponse,
  OverriddenDomain,
  PendingOverrides,
  toCandidate,
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

  @Get('candidates')
  @Operation(
    'listCandidates',
    'What waits for the operator, for the owner of the first team',
    'Overrides of all teams that were neither merged nor rejected, and domains that the engine found.',
  )
  @PageOf('Newest first.', DisposableCandidatePage)
  async candidates(@Query() query: PageQuery, @Caller() caller: Principal): Promise<DisposableCandidatePage> {
    const scope = 'disposable candidates';
    const page = await this.disposable.candidates(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toCandidate);
  }

  @Post('candidates/:id/merge')
  @Operation('mergeCandidate', 'Apply it to all teams, for the owner of the first team')
  @Ok('It applies to all teams within 5 seconds.', DisposableCandidateResponse)
  async merge(
    @Param() { id }: CandidateId,
    @Caller() caller: Principal,
  ): Promise<DisposableCandidateResponse> {
    return toCandidate(await this.disposable.decide(caller, id, 'merged'));
  }

  @Post('candidates/:id/reject')
  @Operation('rejectCandidate', 'Do not apply it to all teams, for the owner of the first team')
  @Ok('It applies to its team only, and is not proposed again.', DisposableCandidateResponse)
  async reject(
    @Param() { id }: CandidateId,
    @Caller() caller: Principal,
  ): Promise<DisposableCandidateResponse> {
    return toCandidate(await this.disposable.decide(caller, id, 'rejected'));
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
