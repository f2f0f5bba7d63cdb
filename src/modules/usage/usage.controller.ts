import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller } from '../../platform/http/route-policy.js';
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
  @ApiOperation({ operationId: 'usageToday', summary: 'What has the team used today, and what is left?' })
  @ApiOkResponse({ standardSchema: UsageTodayResponse, description: 'Today in UTC.' })
  async today(@Caller() { teamId, tier }: Principal): Promise<UsageTodayResponse> {
    return toResponse(await this.usage.today(teamId, tier));
  }

  @Get('usage/history')
  @ApiOperation({ operationId: 'usageHistory', summary: 'What has this account used, day by day?' })
  @ApiOkResponse({
    standardSchema: DailyUsageResponse,
    description: 'Of the key’s user in this team; of a service key, its own.',
  })
  async accountHistory(
    @Query({ schema: HistoryQuery }) { days }: z.infer<typeof HistoryQuery>,
    @Caller() caller: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.accountHistory(caller, days));
  }

  @Get('team/history')
  @ApiOperation({ operationId: 'teamHistory', summary: 'What has the team used, day by day?' })
  @ApiOkResponse({ standardSchema: DailyUsageResponse, description: 'Of all its members and keys.' })
  async teamHistory(
    @Query({ schema: HistoryQuery }) { days }: z.infer<typeof HistoryQuery>,
    @Caller() { teamId }: Principal,
  ): Promise<DailyUsageResponse> {
    return toDailyResponse(await this.usage.teamHistory(teamId, days));
  }
}
