import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import type { Principal } from '../../../kernel/principal.js';
import { Cursors, PageOf } from '../../../platform/http/paging/cursor.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
import {
  AccuracyQuery,
  AccuracyResponse,
  ForgottenAddress,
  OutcomePage,
  OutcomesQuery,
  toAccuracyResponse,
  toResponse,
} from './outcomes.dto.js';
import { OutcomesService } from './outcomes.service.js';

@ApiTags('Outcomes')
@Controller('v1')
export class OutcomesController {
  constructor(
    private readonly outcomes: OutcomesService,
    private readonly cursors: Cursors,
  ) {}

  @Get('outcomes')
  @Scope('read', 'outcomes')
  @Operation('listOutcomes', 'What became of the team’s mails to an address')
  @PageOf('Newest first.', OutcomePage)
  async list(@Query() query: OutcomesQuery, @Caller() { teamId }: Principal): Promise<OutcomePage> {
    const scope = `outcomes ${teamId} ${query.email}`;
    const page = await this.outcomes.list(teamId, query.email, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Delete('outcomes')
  @Scope('outcomes')
  @Operation('forgetOutcomes', 'Delete the outcomes of an address')
  @NoContent('The team has no outcomes of the address.')
  forget(@Query() { email }: ForgottenAddress, @Caller() { teamId }: Principal): Promise<void> {
    return this.outcomes.forget(teamId, email);
  }

  @Get('accuracy')
  @Scope('read', 'outcomes')
  @Operation('getAccuracy', 'How verdicts compare with what became of the mails')
  @Ok('By reason and provider.', AccuracyResponse)
  async accuracy(
    @Query() { days }: AccuracyQuery,
    @Caller() { teamId }: Principal,
  ): Promise<AccuracyResponse> {
    return toAccuracyResponse(await this.outcomes.accuracy(teamId, days));
  }
}
