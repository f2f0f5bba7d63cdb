import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import { AccuracyQuery, AccuracyResponse, toResponse } from './accuracy.dto.js';
import { AccuracyService } from './accuracy.service.js';

@ApiTags('Outcomes')
@Controller('v1/accuracy')
export class AccuracyController {
  constructor(private readonly accuracy: AccuracyService) {}

  @Get()
  @ApiOperation({ operationId: 'getAccuracy', summary: 'How verdicts compare with what became of the mails' })
  @ApiOkResponse({ type: AccuracyResponse, description: 'By reason and provider.' })
  async get(@Query() { days }: AccuracyQuery, @Caller() { teamId }: Principal): Promise<AccuracyResponse> {
    return toResponse(await this.accuracy.get(teamId, days));
  }
}
