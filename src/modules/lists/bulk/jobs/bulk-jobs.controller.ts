import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../../../kernel/clock.js';
import type { Principal } from '../../../../kernel/principal.js';
import { MultipleTransactions } from '../../../../platform/http/idempotency/idempotency-key.js';
import { NoContent, Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { download } from '../../../../platform/http/downloads/download.js';
import { Cursors, PageOf } from '../../../../platform/http/paging/cursor.js';
import type { AuthenticatedRequest } from '../../../../platform/http/request/request-log.js';
import { AllowTestKeys, Caller, Scope } from '../../../../platform/http/request/route-policy.js';
import { BulkEventsService, type JobStream } from './bulk-events.service.js';
import { BulkJobPage, BulkJobResponse, BulkJobUpdate, JobsQuery, toResponse } from './bulk-job.dto.js';
import { BulkJobsService, type JobDetails } from './bulk-jobs.service.js';

const EVENT_STREAM = 'text/event-stream';
/** The reconnection time of clients. */
const RETRY_MS = 2_000;

@ApiTags('Bulk')
@Controller('v1/bulk-jobs')
export class BulkJobsController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly jobEvents: BulkEventsService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Scope('read', 'lists')
  @Operation('listBulkJobs', 'The team’s bulk jobs')
  @PageOf('Newest first.', BulkJobPage)
  async list(@Query() query: JobsQuery, @Caller() caller: Principal): Promise<BulkJobPage> {
    const { status, q } = query;
    const scope = `bulk-jobs ${caller.teamId} ${caller.mode} ${status ?? ''} ${q ?? ''}`;
    const filter = { status, name: q };
    const page = await this.jobs.list(caller, filter, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, (details) => this.toResponse(details, caller));
  }

  @Get(':id')
  @Scope('read', 'lists')
  @Operation('bulkJob', 'The state of a bulk job')
  @Ok('The current state.', BulkJobResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.jobs.getDetails(caller, id), caller);
  }

  @Patch(':id')
  @Scope('lists')
  @AllowTestKeys()
  @Operation('updateBulkJob', 'Rename a bulk job, or ask for a mail at its end')
  @Ok('The changed job.', BulkJobResponse)
  async update(
    @Param('id') id: string,
    @Body() body: BulkJobUpdate,
    @Caller() caller: Principal,
  ): Promise<BulkJobResponse> {
    return this.toResponse(await this.jobs.update(caller, id, body), caller);
  }

  @Post(':id/cancel')
  @Scope('lists')
  @AllowTestKeys()
  @Operation('cancelBulkJob', 'Cancel a bulk job; its results are kept, and a held list is deleted')
  @Ok('The job has ended, now or before.', BulkJobResponse)
  async cancel(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.jobs.cancel(caller, id), caller);
  }

  @Post(':id/finish')
  @Scope('lists')
  @MultipleTransactions()
  @AllowTestKeys()
  @Operation('finishBulkJob', 'Complete the deferred rows of a bulk job with what is known')
  @Ok('The job; it has ended unless other rows are left, or a new one was deferred.', BulkJobResponse)
  async finish(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.jobs.finish(caller, id), caller);
  }

  @Delete(':id')
  @Scope('lists')
  @AllowTestKeys()
  @Operation('deleteBulkJob', 'Delete a bulk job with its addresses and results')
  @NoContent(
    'The job cannot be read any more; its addresses and results are deleted within minutes. If it had not ended, it was canceled first.',
  )
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.jobs.delete(caller, id);
  }

  @Get(':id/events')
  @Scope('read', 'lists')
  @Operation(
    'bulkJobEvents',
    'The progress of a bulk job, as server-sent events',
    'Sends the job at once and after changes, at most once a second. The stream ends after the event in which the job has ended. It also ends if the job is deleted, the key is revoked, the service restarts or, when all streams are in use, a team with fewer streams needs one; then open it again or poll the job.',
  )
  @ApiProduces(EVENT_STREAM)
  @ApiOkResponse({
    description: 'Events named `bulk_job`; the data of each is a BulkJob.',
    schema: { type: 'string', example: 'event: bulk_job\ndata: {"id":"job_…","status":"running",…}\n\n' },
  })
  async events(
    @Param('id') id: string,
    @Caller() caller: Principal,
    @Req() { isKeyValid = () => Promise.resolve(false) }: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { states, end } = await this.jobEvents.follow(caller, id, isKeyValid);
    // nginx would buffer the events.
    response.setHeader('X-Accel-Buffering', 'no');
    return download(response, { text: this.textOf(states, caller), type: EVENT_STREAM, onClose: end });
  }

  /** The format of event streams (WHATWG HTML, section 9.2). */
  private async *textOf(states: JobStream['states'], caller: Principal): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    for await (const details of states) {
      if (details === null) yield ': alive\n\n';
      else yield `event: bulk_job\ndata: ${JSON.stringify(this.toResponse(details, caller))}\n\n`;
    }
  }

  private toResponse(details: JobDetails, { rules }: Principal): BulkJobResponse {
    return toResponse(details, this.clock.now(), rules.retentionDays);
  }
}
