import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FailedRequests } from '../../../kernel/failed-requests.js';
import type { Principal } from '../../../kernel/principal.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { Cursors, PageOf } from '../../../platform/http/paging/cursor.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
import { FailedRequestPage, FailedRequestQuery, toResponse } from './failed-requests.dto.js';

@ApiTags('Team')
@Controller('v1/failed_requests')
export class FailedRequestsController {
  constructor(
    private readonly failed: FailedRequests,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Scope('read')
  @Operation(
    'listFailedRequests',
    'Requests of the team that failed in the last seven days',
    'At most 100 requests in ten minutes are stored, and 100 with publishable keys.',
  )
  @PageOf('Newest first.', FailedRequestPage)
  async list(
    @Query() query: FailedRequestQuery,
    @Caller() { teamId }: Principal,
  ): Promise<FailedRequestPage> {
    const { request_id: requestId = null, code = null } = query;
    const scope = `failed-requests ${teamId} ${requestId ?? ''} ${code ?? ''}`;
    const page = await this.failed.list(teamId, { requestId, code }, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }
}
