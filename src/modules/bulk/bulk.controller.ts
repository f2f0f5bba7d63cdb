import { Controller, Delete, Get, Param, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { Accepted, NoContent, Ok, Operation } from '../../platform/http/openapi/operation.js';
import type { Principal } from '../../kernel/principal.js';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import {
  Caller,
  Costs,
  Feature,
  FeatureWhenRequested,
  AllowTestKeys,
} from '../../platform/http/request/route-policy.js';
import { download } from '../../platform/http/downloads/download.js';
import { DownloadSlots } from '../../platform/http/downloads/download-slots.js';
import {
  STREAMED_TYPES,
  StreamedFormat,
  TABLE_TYPES,
} from '../../platform/http/downloads/streamed-format.js';
import { Cursors, PageOf } from '../../platform/http/paging/cursor.js';
import { MultipleTransactions } from '../../platform/http/idempotency/idempotency-key.js';
import { storeResponse } from '../../platform/http/idempotency/idempotency.interceptor.js';
import { bodyFormats, streamedBody, StreamsBody } from '../../platform/http/body/streamed-body.js';
import { chosenColumns, toCsv, toNdjson, toWorkbook } from './bulk-results.dto.js';
import { BulkJobPage, BulkJobResponse, BulkResultPage, toResponse, toResult } from './bulk.dto.js';
import { JobsQuery, ResultsQuery } from './bulk-queries.dto.js';
import { BreakdownQuery, BulkBreakdownResponse, toBreakdownResponse } from './bulk-breakdown.dto.js';
import { BulkQuery, BulkVerifyRequest, optionsOf } from './bulk-submission.dto.js';
import { BulkEventsService, type JobStream } from './bulk-events.service.js';
import { BulkRechecksService } from './bulk-rechecks.service.js';
import { BulkResultsService } from './bulk-results.service.js';
import { BulkService } from './bulk.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import type { ListFormat } from './domain/list-reader.js';
import { OTHER_FILES } from './domain/other-files.js';

const FORMATS = bodyFormats<ListFormat>(
  {
    json: 'the schema below',
    csv: 'delimiter, header and the column with the addresses are detected; the other columns are returned as `ref`',
    ndjson: 'one entry per line',
  },
  OTHER_FILES,
);
const CONTENT_ENCODING = {
  name: 'Content-Encoding',
  required: false,
  enum: ['gzip', 'identity'],
  description: 'The size limit applies to the body without gzip, which may be at most 100 times as large.',
};
const POLL_SECONDS = 5;
const EVENT_STREAM = 'text/event-stream';
/** The reconnection time of clients. */
const RETRY_MS = 2_000;

@ApiTags('Bulk')
@Controller('v1')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly bulkResults: BulkResultsService,
    private readonly bulkEvents: BulkEventsService,
    private readonly rechecks: BulkRechecksService,
    private readonly cursors: Cursors,
    private readonly downloads: DownloadSlots,
    private readonly clock: Clock,
  ) {}

  @Post('verify/bulk')
  @Feature('bulk')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @AllowTestKeys()
  @StreamsBody()
  @Operation('verifyBulk', 'Verify a list in the background')
  @ApiConsumes(...FORMATS.types)
  @ApiHeader(CONTENT_ENCODING)
  @ApiBody({ description: FORMATS.description, type: BulkVerifyRequest })
  @Accepted('The job; `Location` has its path.', BulkJobResponse)
  async submit(
    @Req() request: Request,
    @Query() query: BulkQuery,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobResponse> {
    const body = streamedBody(request, FORMATS, this.bulk.maxBytes(caller));
    const accepted = (job: BulkJob) => {
      response.setHeader('Location', `/v1/bulk-jobs/${job.id}`);
      response.setHeader('Retry-After', POLL_SECONDS);
      return storeResponse(response, this.queued(job, caller), body.digest());
    };
    const { name = null, refresh } = query;
    const options = optionsOf(query, body.charset);
    const submission = { open: body.open, name, refresh, options, accepted };
    return this.queued(await this.bulk.submit(caller, submission), caller);
  }

  @Get('bulk-jobs')
  @Operation('listBulkJobs', 'The team’s bulk jobs')
  @PageOf('Newest first.', BulkJobPage)
  async list(@Query() query: JobsQuery, @Caller() caller: Principal): Promise<BulkJobPage> {
    const { status, q } = query;
    const scope = `bulk-jobs ${caller.teamId} ${caller.mode} ${status ?? ''} ${q ?? ''}`;
    const filter = { status, name: q };
    const page = await this.bulk.list(caller, filter, this.cursors.request(query, scope));
    const deferred = await this.rechecks.findDeferred(page.items);
    const { retentionDays } = caller.rules;
    return this.cursors.pageResponse(page, scope, (job) =>
      toResponse(job, this.clock.now(), retentionDays, deferred.get(job.listId)),
    );
  }

  @Get('bulk-jobs/:id')
  @Operation('bulkJob', 'The state of a bulk job')
  @Ok('The current state.', BulkJobResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.bulk.get(caller, id), caller);
  }

  @Get('bulk-jobs/:id/results')
  @Operation(
    'bulkResults',
    'The results of a bulk job, also before its end',
    '`Accept: text/csv`, `application/x-ndjson` or an Excel workbook streams all of them, with the name of a file in `Content-Disposition`.',
  )
  @ApiProduces(...TABLE_TYPES)
  @PageOf('In input order, one for each row.', BulkResultPage)
  async results(
    @Param('id') id: string,
    @Query() query: ResultsQuery,
    @StreamedFormat(['csv', 'ndjson', 'xlsx']) streamed: 'csv' | 'ndjson' | 'xlsx' | null,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkResultPage | StreamableFile> {
    response.vary('Accept');
    const { status, reason, q: text, distinct: isDistinct, formula_guard: formulaGuard } = query;
    const filter = { status, reason, text, isDistinct };
    const job = await this.bulk.get(caller, id);
    if (streamed !== null) {
      const { columns } = job;
      const delimiter = query.delimiter ?? job.delimiter;
      const chosen = query.columns === undefined ? undefined : chosenColumns(query.columns, columns);
      const format = { columns, chosen, delimiter, formulaGuard, bom: query.bom ?? job.bom };
      const { signal, release } = this.downloads.acquire(caller.teamId);
      const rows = this.bulkResults.all(caller, job, filter);
      const text = {
        csv: () => toCsv(rows, format),
        ndjson: () => toNdjson(rows, columns),
        xlsx: () => toWorkbook(rows, format),
      }[streamed]();
      const type = STREAMED_TYPES[streamed];
      response.attachment(`${fileNameOf(job)}-results.${streamed}`).type(type);
      return download(response, { text, type, signal, onClose: release });
    }
    const scope = `bulk-results ${job.id} ${status?.join() ?? ''} ${reason ?? ''} ${isDistinct} ${text ?? ''}`;
    const page = await this.bulkResults.page(job, this.cursors.request(query, scope), filter);
    return this.cursors.pageResponse(page, scope, (row) => toResult(row, job.columns));
  }

  @Get('bulk-jobs/:id/breakdown')
  @Operation('bulkBreakdown', 'The outcome of a bulk job by domain or provider')
  @Ok('Rows without a verdict are not counted.', BulkBreakdownResponse)
  async breakdown(
    @Param('id') id: string,
    @Query() { by }: BreakdownQuery,
    @Caller() caller: Principal,
  ): Promise<BulkBreakdownResponse> {
    const job = await this.bulk.get(caller, id);
    return toBreakdownResponse(by, await this.bulkResults.breakdown(job, by));
  }

  @Post('bulk-jobs/:id/cancel')
  @AllowTestKeys()
  @Operation('cancelBulkJob', 'Cancel a bulk job; its results are kept')
  @Ok('The job has ended, now or before.', BulkJobResponse)
  async cancel(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.bulk.cancel(caller, id), caller);
  }

  @Post('bulk-jobs/:id/finish')
  @MultipleTransactions()
  @AllowTestKeys()
  @Operation('finishBulkJob', 'Complete the deferred rows of a bulk job with what is known')
  @Ok('The job; it has ended unless other rows are left, or a new one was deferred.', BulkJobResponse)
  async finish(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.toResponse(await this.bulk.finish(caller, id), caller);
  }

  @Delete('bulk-jobs/:id')
  @AllowTestKeys()
  @Operation('deleteBulkJob', 'Delete a bulk job with its addresses and results')
  @NoContent('The job was deleted. If it had not ended, it was canceled first.')
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.bulk.delete(caller, id);
  }

  @Get('bulk-jobs/:id/events')
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
    const { states, end } = await this.bulkEvents.follow(caller, id, isKeyValid);
    // nginx would buffer the events.
    response.setHeader('X-Accel-Buffering', 'no');
    return download(response, { text: this.textOf(states, caller), type: EVENT_STREAM, onClose: end });
  }

  /** The format of event streams (WHATWG HTML, section 9.2). */
  private async *textOf(states: JobStream['states'], caller: Principal): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    for await (const job of states) {
      if (job === null) yield ': alive\n\n';
      else yield `event: bulk_job\ndata: ${JSON.stringify(await this.toResponse(job, caller))}\n\n`;
    }
  }

  private async toResponse(job: BulkJob, { rules }: Principal): Promise<BulkJobResponse> {
    const deferred = await this.rechecks.findDeferred([job]);
    return toResponse(job, this.clock.now(), rules.retentionDays, deferred.get(job.listId));
  }

  /** A new job: no row is deferred yet. */
  private queued(job: BulkJob, { rules }: Principal): BulkJobResponse {
    return toResponse(job, this.clock.now(), rules.retentionDays);
  }
}

/** Without the characters that a file system may not take. */
function fileNameOf({ name, id }: BulkJob): string {
  return (name ?? id).replace(/["*/:<>?\\|]/g, '_').replace(/^\.+/, '');
}
