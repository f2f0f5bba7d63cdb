import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Accepted, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import { Caller, Feature, Scope } from '../../../platform/http/request/route-policy.js';
import { ScheduleRunPage, ScheduleRunResponse, toRun } from './schedule-runs.dto.js';
import { SchedulesService } from './schedules.service.js';
import { RunConfirmationsService } from './runs/run-confirmations.service.js';

@ApiTags('Schedules')
@Controller('v1/schedules/:id')
export class ScheduleRunsController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly confirmations: RunConfirmationsService,
    private readonly cursors: Cursors,
  ) {}

  @Post('run')
  @Scope('lists')
  @Feature('schedules')
  @Operation('runSchedule', 'Run a schedule now')
  @Accepted('The run; the one that has not ended, if there is one.', ScheduleRunResponse)
  async run(@Param('id') id: string, @Caller() caller: Principal): Promise<ScheduleRunResponse> {
    return toRun(await this.schedules.run(caller, id));
  }

  @Get('runs')
  @Scope('read', 'lists')
  @Operation('listScheduleRuns', 'The runs of a schedule in the last 400 days')
  @PageOf('Newest first.', ScheduleRunPage)
  async list(
    @Param('id') id: string,
    @Query() query: PageQuery,
    @Caller() caller: Principal,
  ): Promise<ScheduleRunPage> {
    const scope = `schedule runs ${caller.teamId} ${id}`;
    const page = await this.schedules.listRuns(caller, id, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toRun);
  }

  @Post('runs/:run_id/confirm')
  @Feature('schedules')
  @Operation(
    'confirmScheduleRun',
    'Write the results of a run that waits for a confirmation',
    'listmonk ends all subscriptions of everyone whom it blocklists, on all lists. To enable a subscriber again does not bring them back. A second confirmation changes nothing.',
  )
  @Accepted('The run, whose results are written now.', ScheduleRunResponse)
  async confirm(
    @Param('id') id: string,
    @Param('run_id') runId: string,
    @Caller() caller: Principal,
  ): Promise<ScheduleRunResponse> {
    return toRun(await this.confirmations.confirm(caller, id, runId));
  }

  @Post('runs/:run_id/discard')
  @Scope('lists')
  @Operation('discardScheduleRun', 'Discard the results of a run that waits for a confirmation')
  @Ok('The run. Nothing was written.', ScheduleRunResponse)
  async discard(
    @Param('id') id: string,
    @Param('run_id') runId: string,
    @Caller() caller: Principal,
  ): Promise<ScheduleRunResponse> {
    return toRun(await this.confirmations.discard(caller, id, runId));
  }
}
