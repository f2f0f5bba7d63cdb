import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import {
  DailyUsageResponse,
  HistoryQuery,
  toDailyResponse,
  toResponse,
  UsageTodayResponse,
} from './usage.dto.js';
import { UsageService } from './usage.service.js';

@ApiTags('Usage')
@Controller('v1')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('usage')
  @ApiOperation({
    operationId: 'usageToday',
    summary: 'The usage of the team today, and the remaining quota',
  })
  @ApiOkResponse({ type: UsageTodayResponse, description: 'Today in UTC.' })
  async today(@Caller() { teamId, tier }: Principal): Promise<UsageTodayResponse> {
    return toResponse(await this.usage.today(teamId, tier));
  }

  @Get('usage/history')
  @ApiOperation({ operationId: 'usageHistory', summary: 'The daily usage of this account' })
  @ApiOkResponse({
    type: DailyUsageResponse,
    description: 'The usage of the key’s user in this team, or of the service key.',
  })
  async accountHistory(
    @Query() { days }: HistoryQuery,
    @Caller() caller: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.accountHistory(caller, days));
  }

  @Get('team/history')
  @ApiOperation({ operationId: 'teamHistory', summary: 'The daily usage of the team' })
  @ApiOkResponse({ type: DailyUsageResponse, description: 'The usage of all members and keys.' })
  async teamHistory(
    @Query() { days }: HistoryQuery,
    @Caller() { teamId }: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.teamHistory(teamId, days));
  }
}
