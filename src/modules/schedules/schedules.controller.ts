import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Accepted, Created, NoContent, Ok, Operation } from '../../platform/http/openapi/operation.js';
import { Cursors, PageOf, PageQuery } from '../../platform/http/paging/cursor.js';
import { Caller, Feature, Scope } from '../../platform/http/request/route-policy.js';
import { ScheduleCreate, ScheduleUpdate, toChanges, toNewSchedule } from './schedule-input.dto.js';
import {
  SchedulePage,
  ScheduleResponse,
  ScheduleRunPage,
  ScheduleRunResponse,
  toResponse,
  toRun,
} from './schedules.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('v1/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Scope('read', 'lists')
  @Operation('listSchedules', 'The schedules of the team')
  @PageOf('Newest first.', SchedulePage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<SchedulePage> {
    const scope = `schedules ${caller.teamId}`;
    const page = await this.schedules.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @Scope('lists')
  @Feature('schedules')
  @Operation('createSchedule', 'Verify a list at regular times')
  @Created('The schedule.', ScheduleResponse, '/v1/schedules')
  async create(@Body() body: ScheduleCreate, @Caller() caller: Principal): Promise<ScheduleResponse> {
    return toResponse(await this.schedules.create(caller, toNewSchedule(body)));
  }

  @Get(':id')
  @Scope('read', 'lists')
  @Operation('getSchedule', 'One schedule')
  @Ok('The current state.', ScheduleResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<ScheduleResponse> {
    return toResponse(await this.schedules.get(caller, id));
  }

  @Patch(':id')
  @Scope('lists')
  @Operation('updateSchedule', 'Change a schedule')
  @Ok('The changed schedule.', ScheduleResponse)
  async change(
    @Param('id') id: string,
    @Body() body: ScheduleUpdate,
    @Caller() caller: Principal,
  ): Promise<ScheduleResponse> {
    return toResponse(await this.schedules.change(caller, id, toChanges(body)));
  }

  @Delete(':id')
  @Scope('lists')
  @Operation('deleteSchedule', 'Delete a schedule and its runs')
  @NoContent('The schedule was deleted. Bulk jobs of its runs remain.')
  remove(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.schedules.remove(caller, id);
  }

  @Post(':id/run')
  @Scope('lists')
  @Feature('schedules')
  @Operation('runSchedule', 'Run a schedule now')
  @Accepted('The run; the one that has not ended, if there is one.', ScheduleRunResponse)
  async run(@Param('id') id: string, @Caller() caller: Principal): Promise<ScheduleRunResponse> {
    return toRun(await this.schedules.run(caller, id));
  }

  @Get(':id/runs')
  @Scope('read', 'lists')
  @Operation('listScheduleRuns', 'The runs of a schedule in the last 400 days')
  @PageOf('Newest first.', ScheduleRunPage)
  async listRuns(
    @Param('id') id: string,
    @Query() query: PageQuery,
    @Caller() caller: Principal,
  ): Promise<ScheduleRunPage> {
    const scope = `schedule runs ${caller.teamId} ${id}`;
    const page = await this.schedules.listRuns(caller, id, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toRun);
  }
}
