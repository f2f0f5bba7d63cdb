import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
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
  @Scope('read', 'usage')
  @Operation('usageToday', 'The usage of the team today, and the remaining quota')
  @Ok('Today in UTC.', UsageTodayResponse)
  async today(@Caller() { teamId, tier }: Principal): Promise<UsageTodayResponse> {
    return toResponse(await this.usage.today(teamId, tier));
  }

  @Get('usage/history')
  @Scope('read')
  @Operation('usageHistory', 'The daily usage of this account')
  @Ok('The usage of the key’s user in this team, or of the service key.', DailyUsageResponse)
  async accountHistory(
    @Query() { days }: HistoryQuery,
    @Caller() caller: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.accountHistory(caller, days));
  }

  @Get('team/history')
  @Scope('read')
  @Operation('teamHistory', 'The daily usage of the team')
  @Ok('The usage of all members and keys.', DailyUsageResponse)
  async teamHistory(
    @Query() { days }: HistoryQuery,
    @Caller() { teamId }: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.teamHistory(teamId, days));
  }
}
