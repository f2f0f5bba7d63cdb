import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import { storeResponse } from '../../../platform/http/idempotency/idempotency.interceptor.js';
import { Created, NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  Caller,
  Feature,
  Scope,
  NotFromLimitedNetworks,
} from '../../../platform/http/request/route-policy.js';
import { ScheduleCreate, ScheduleUpdate, toChanges, toNewSchedule } from './input/schedule-input.dto.js';
import { SchedulePage, ScheduleResponse, toResponse } from './schedules.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('v1/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly cursors: Cursors,
    private readonly work: UnitOfWork,
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
  @NotFromLimitedNetworks()
  @Scope('lists')
  @Feature('schedules')
  @Operation('createSchedule', 'Verify a list at regular times')
  @Created('The schedule.', ScheduleResponse, '/v1/schedules')
  @MultipleTransactions()
  async create(
    @Body() body: ScheduleCreate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleResponse> {
    const sent = toNewSchedule(body);
    await this.schedules.checkNew(caller, sent);
    return this.work.run(async () => {
      const created = toResponse(await this.schedules.create(caller, sent));
      response.setHeader('Location', `/v1/schedules/${created.id}`);
      await storeResponse(response, created);
      return created;
    });
  }

  @Get(':id')
  @Scope('read', 'lists')
  @Operation('getSchedule', 'One schedule')
  @Ok('The current state.', ScheduleResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<ScheduleResponse> {
    return toResponse(await this.schedules.get(caller, id));
  }

  @Patch(':id')
  @NotFromLimitedNetworks()
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
}
