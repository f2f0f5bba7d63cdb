import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { clientGone } from '../../../platform/http/request/client-gone.js';
import {
  Caller,
  Feature,
  Scope,
  NotFromLimitedNetworks,
} from '../../../platform/http/request/route-policy.js';
import { ScheduleCreate, toNewSchedule } from './input/schedule-input.dto.js';
import { toSource } from './input/source-input.dto.js';
import { ScheduleCheckChanges, ScheduleCheckResponse, toCheckResponse } from './schedule-checks.dto.js';
import { ScheduleChecksService } from './schedule-checks.service.js';

const READS =
  'Reads the first rows of the source, for at most ten seconds. Nothing is stored, verified or charged. A team checks one source at a time.';

@ApiTags('Schedules')
@Controller('v1/schedules')
export class ScheduleChecksController {
  constructor(private readonly checks: ScheduleChecksService) {}

  @Post('check')
  @NotFromLimitedNetworks()
  @Scope('lists')
  @Feature('schedules')
  @Operation('checkSchedule', 'Try a schedule before it is created', READS)
  @Ok('What the source shows, or why a run would fail.', ScheduleCheckResponse)
  @MultipleTransactions()
  async check(
    @Body() body: ScheduleCreate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleCheckResponse> {
    return toCheckResponse(await this.checks.checkNew(caller, toNewSchedule(body), clientGone(response)));
  }

  @Post(':id/check')
  @NotFromLimitedNetworks()
  @Scope('lists')
  @Feature('schedules')
  @Operation('checkScheduleChange', 'Try the source of a schedule, or another one for it', READS)
  @Ok('What the source shows, or why a run would fail.', ScheduleCheckResponse)
  @MultipleTransactions()
  async checkChange(
    @Param('id') id: string,
    @Body() body: ScheduleCheckChanges,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleCheckResponse> {
    const sent = body.source && toSource(body.source, true);
    return toCheckResponse(await this.checks.checkChanged(caller, id, sent, clientGone(response)));
  }
}
