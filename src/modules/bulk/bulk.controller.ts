import {
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '../../platform/http/documented.js';
import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Clock } from '../../kernel/clock.js';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Costs, Feature, FeatureWhenAsked, TestKeysToo } from '../../platform/http/route-policy.js';
import { download } from '../../platform/http/download.js';
import { Cursors } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
import { storeAnswer } from '../../platform/http/idempotency.interceptor.js';
import { bytesOf, formatOf, StreamsBody } from '../../platform/http/streamed-body.js';
import { toCsv, toNdjson } from './bulk-results.dto.js';
import {
  afterOf,
  BulkJobPage,
  BulkJobResponse,
  BulkQuery,
  BulkResultPage,
  BulkVerifyRequest,
  JobsQuery,
  ResultsQuery,
  toPosition,
  toResponse,
  toResult,
} from './bulk.dto.js';
import { BulkResultsService } from './bulk-results.service.js';
import { BulkService } from './bulk.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import type { ListFormat } from './domain/list-reader.js';

const FORMATS: Readonly<Record<string, ListFormat>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};
const STREAMED_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };
const COME_BACK_SECONDS = 5;
const LIST =
  'As JSON; or `text/csv`, whose first line names a column `email` (the others come back as `ref`); or `application/x-ndjson`, an entry a line.';

@ApiTags('Bulk')
@Controller('v1')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly bulkResults: BulkResultsService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  @Post('verify/bulk')
  @HttpCode(202)
  @Feature('bulk')
  @FeatureWhenAsked('refresh')
  @Costs(1)
  @TestKeysToo()
  @StreamsBody()
  @ApiOperation({ operationId: 'verifyBulk', summary: 'Verify a list in the background' })
  @ApiConsumes(...Object.keys(FORMATS))
  @ApiBody({ description: LIST, schema: z.toJSONSchema(BulkVerifyRequest, { io: 'input' }) as object })
  @ApiAcceptedResponse({
    standardSchema: BulkJobResponse,
    description: 'The job; `Location` says where it is.',
  })
  async submit(
    @Req() request: Request,
    @Query({ schema: BulkQuery }) { name, refresh }: z.infer<typeof BulkQuery>,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobResponse> {
    const format = formatOf(request, FORMATS);
    const hash = createHash('sha256');
    const body = through(bytesOf(request, this.bulk.mostBytes(caller)), (bytes) => hash.update(bytes));
    const accepted = (job: BulkJob) => {
      response.setHeader('Location', `/v1/bulk-jobs/${job.id}`);
      response.setHeader('Retry-After', COME_BACK_SECONDS);
      return storeAnswer(response, this.answer(job, caller), hash.digest());
    };
    const submission = { format, body, name: name ?? null, refresh, accepted };
    return this.answer(await this.bulk.submit(caller, submission), caller);
  }

  @Get('bulk-jobs')
  @ApiOperation({ operationId: 'listBulkJobs', summary: 'The team’s bulk jobs' })
  @ApiOkResponse({ standardSchema: BulkJobPage, description: 'Newest first.' })
  async list(
    @Query({ schema: JobsQuery }) query: z.infer<typeof JobsQuery>,
    @Caller() caller: Principal,
  ): Promise<BulkJobPage> {
    const scope = `bulk-jobs ${caller.teamId} ${caller.mode} ${query.status ?? ''}`;
    const page = await this.bulk.list(caller, query.status ?? null, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, (job) => this.answer(job, caller));
  }

  @Get('bulk-jobs/:id')
  @ApiOperation({ operationId: 'bulkJob', summary: 'How far is the job?' })
  @ApiOkResponse({ standardSchema: BulkJobResponse, description: 'As it stands.' })
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.answer(await this.bulk.get(caller, id), caller);
  }

  @Get('bulk-jobs/:id/results')
  @ApiOperation({
    operationId: 'bulkResults',
    summary: 'Its results, also while it runs',
    description: '`Accept: text/csv` or `application/x-ndjson` streams all of them.',
  })
  @ApiProduces(...Object.keys(FORMATS))
  @ApiOkResponse({ standardSchema: BulkResultPage, description: 'In input order, one for each row.' })
  async results(
    @Param('id') id: string,
    @Query({ schema: ResultsQuery }) query: z.infer<typeof ResultsQuery>,
    @Headers('accept') accept: string | undefined,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkResultPage | StreamableFile> {
    const { limit, status, reason } = query;
    const filter = { status, reason };
    const job = await this.bulk.get(caller, id);
    const streamed = streamedFormat(accept);
    if (streamed !== null) {
      const { rows, end } = this.bulkResults.startExport(caller, job, filter);
      const text = streamed === 'csv' ? toCsv(rows, job.columns) : toNdjson(rows);
      return download(response, { text, type: STREAMED_TYPES[streamed], onClose: end });
    }
    const scope = `bulk-results ${caller.teamId} ${status ?? ''} ${reason ?? ''}`;
    const after = afterOf(this.cursors.request(query, scope).after, job.id);
    const found = await this.bulkResults.page(job, after, limit + 1, filter);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const next = found.length > limit && last !== undefined ? toPosition(last.index, job.id) : null;
    return this.cursors.answer({ items, next }, scope, toResult);
  }

  @Post('bulk-jobs/:id/cancel')
  @HttpCode(200)
  @TestKeysToo()
  @ApiOperation({ operationId: 'cancelBulkJob', summary: 'End the job with what it has' })
  @ApiOkResponse({ standardSchema: BulkJobResponse, description: 'Ended, now or before.' })
  async cancel(@Param('id') id: string, @Caller() caller: Principal): Promise<BulkJobResponse> {
    return this.answer(await this.bulk.cancel(caller, id), caller);
  }

  @Delete('bulk-jobs/:id')
  @HttpCode(204)
  @TestKeysToo()
  @ApiOperation({ operationId: 'deleteBulkJob', summary: 'Erase the job, its addresses and results' })
  @ApiNoContentResponse({ description: 'Erased; it was canceled first if it had not ended.' })
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.bulk.delete(caller, id);
  }

  private answer(job: BulkJob, { rules }: Principal): BulkJobResponse {
    return toResponse(job, this.clock.now(), rules.retentionDays);
  }
}

/** Shows the bytes to somebody on their way. */
async function* through(bytes: AsyncIterable<Buffer>, see: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const each of bytes) {
    see(each);
    yield each;
  }
}

/** The first that is named and is a stream; null: JSON, which has pages. */
function streamedFormat(accept = ''): 'csv' | 'ndjson' | null {
  for (const type of accept.split(',').map((part) => part.replace(/;.*/s, '').trim().toLowerCase())) {
    const format = FORMATS[type];
    if (format !== undefined) return format === 'json' ? null : format;
  }
  return null;
}
