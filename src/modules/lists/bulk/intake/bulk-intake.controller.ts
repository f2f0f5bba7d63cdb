import { Controller, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../../../kernel/clock.js';
import type { Principal } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { StreamsBody } from '../../../../platform/http/body/streamed-body.js';
import { storeResponse } from '../../../../platform/http/idempotency/idempotency.interceptor.js';
import { Accepted, Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import type { AuthenticatedRequest } from '../../../../platform/http/request/request-log.js';
import {
  AllowTestKeys,
  Caller,
  Costs,
  Feature,
  FeatureWhenRequested,
  FreeWhenRequested,
  Scope,
} from '../../../../platform/http/request/route-policy.js';
import { ReaderThreads } from '../../../../platform/threads/reader-threads.js';
import { BulkJobResponse, toResponse } from '../jobs/bulk-job.dto.js';
import { BulkJobsService } from '../jobs/bulk-jobs.service.js';
import { BulkQuery, BulkVerifyRequest } from './bulk-submission.dto.js';
import { HeldListsService } from './held-lists.service.js';
import { ListIntakeService } from './list-intake.service.js';
import { LIST_FORMATS, listIn } from './bulk.reader.js';

const CONTENT_ENCODING = {
  name: 'Content-Encoding',
  required: false,
  enum: ['gzip', 'identity'],
  description: 'The size limit applies to the body without gzip, which may be at most 100 times as large.',
};
const POLL_SECONDS = 5;

@ApiTags('Bulk')
@Controller('v1')
export class BulkIntakeController {
  constructor(
    private readonly intake: ListIntakeService,
    private readonly held: HeldListsService,
    private readonly jobs: BulkJobsService,
    private readonly threads: ReaderThreads,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @Post('verify/bulk')
  @Scope('lists')
  @Feature('bulk')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @FreeWhenRequested('hold')
  @AllowTestKeys()
  @StreamsBody()
  @Operation('verifyBulk', 'Verify a list in the background')
  @ApiConsumes(...LIST_FORMATS.types)
  @ApiHeader(CONTENT_ENCODING)
  @ApiBody({ description: LIST_FORMATS.description, type: BulkVerifyRequest })
  @Accepted('The job; `Location` has its path.', BulkJobResponse)
  async submit(
    @Req() request: AuthenticatedRequest,
    @Query() query: BulkQuery,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobResponse> {
    const maxBytes = this.intake.maxBytes(caller, query.hold);
    const { list, digest } = listIn({ request, query, caller, maxBytes }, this.threads);
    const staged = await this.intake.receive(caller, list);
    try {
      return await this.work.run(async () => {
        const job = await this.intake.accept(caller, staged);
        const details = await this.jobs.detailsOf(job);
        const accepted = toResponse(details, this.clock.now(), caller.rules.retentionDays);
        response.setHeader('Location', `/v1/bulk-jobs/${job.id}`);
        response.setHeader('Retry-After', POLL_SECONDS);
        await storeResponse(response, accepted, digest());
        return accepted;
      });
    } catch (error) {
      await this.intake.discard(staged.listId, staged.size.total);
      throw error;
    }
  }

  @Post('bulk-jobs/:id/start')
  @Scope('lists')
  @Feature('bulk')
  @AllowTestKeys()
  @Operation(
    'startBulkJob',
    'Start a held bulk job',
    'Reserves the units of the list and queues it, as if it was submitted now. A job that was started before is not changed.',
  )
  @Ok('The job; it was started, now or before.', BulkJobResponse)
  async start(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    const details = await this.held.start(caller, id);
    return toResponse(details, this.clock.now(), caller.rules.retentionDays);
  }
}
