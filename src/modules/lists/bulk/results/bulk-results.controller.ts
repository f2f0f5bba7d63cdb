import { Controller, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../../kernel/principal.js';
import { Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { download } from '../../../../platform/http/downloads/download.js';
import { DownloadSlots } from '../../../../platform/http/downloads/download-slots.js';
import {
  STREAMED_TYPES,
  StreamedFormat,
  TABLE_TYPES,
} from '../../../../platform/http/downloads/streamed-format.js';
import { Cursors, PageOf } from '../../../../platform/http/paging/cursor.js';
import { Caller, Scope } from '../../../../platform/http/request/route-policy.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobsService } from '../jobs/bulk-jobs.service.js';
import { BreakdownQuery, BulkBreakdownResponse, toBreakdownResponse } from './bulk-breakdown.dto.js';
import { BulkResultPage, ResultsQuery, toResult } from './bulk-results.dto.js';
import { BulkResultsService } from './bulk-results.service.js';
import { chosenColumns, toCsv, toNdjson, toWorkbook } from './result-files.dto.js';

@ApiTags('Bulk')
@Controller('v1/bulk-jobs')
export class BulkResultsController {
  constructor(
    private readonly jobs: BulkJobsService,
    private readonly bulkResults: BulkResultsService,
    private readonly cursors: Cursors,
    private readonly downloads: DownloadSlots,
  ) {}

  @Get(':id/results')
  @Scope('read', 'lists')
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
    const job = await this.jobs.get(caller, id);
    if (streamed !== null) {
      const { columns } = job;
      const delimiter = query.delimiter ?? job.delimiter;
      const chosen = query.columns === undefined ? undefined : chosenColumns(query.columns, columns);
      const bom = query.bom ?? job.bom;
      const format = { columns, chosen, delimiter, formulaGuard, bom, format: job.format };
      const { signal, release } = this.downloads.acquire(caller.teamId);
      const rows = this.bulkResults.all(caller, job, filter);
      const text = {
        csv: () => toCsv(rows, format),
        ndjson: () => toNdjson(rows, columns),
        xlsx: () => toWorkbook(rows, format),
      }[streamed]();
      const type = typeOf(streamed, job);
      const kind = job.mode === 'test' ? 'results-TEST' : 'results';
      response.attachment(`${fileNameOf(job)}-${kind}.${streamed}`).type(type);
      return download(response, { text, type, signal, onClose: release });
    }
    const scope = `bulk-results ${job.id} ${status?.join() ?? ''} ${reason ?? ''} ${isDistinct} ${text ?? ''}`;
    const page = await this.bulkResults.page(job, this.cursors.rowRequest(query, scope), filter);
    return this.cursors.pageResponse(page, scope, (row) => toResult(row, job.columns));
  }

  @Get(':id/breakdown')
  @Scope('read', 'lists')
  @Operation('bulkBreakdown', 'The outcome of a bulk job by domain or provider')
  @Ok('Rows without a verdict are not counted.', BulkBreakdownResponse)
  async breakdown(
    @Param('id') id: string,
    @Query() { by }: BreakdownQuery,
    @Caller() caller: Principal,
  ): Promise<BulkBreakdownResponse> {
    const job = await this.jobs.get(caller, id);
    return toBreakdownResponse(by, await this.bulkResults.breakdown(job, by));
  }
}

/** Of a list in an encoding that is not known, a CSV has its bytes. */
function typeOf(streamed: keyof typeof STREAMED_TYPES, { format }: BulkJob): string {
  const isOther = streamed === 'csv' && (format?.warning ?? null) !== null;
  return isOther ? 'text/csv; charset=windows-1252' : STREAMED_TYPES[streamed];
}

/** Without the characters that a file system may not take. */
function fileNameOf({ name, id }: BulkJob): string {
  return (name ?? id).replace(/["*/:<>?\\|]/g, '_').replace(/^\.+/, '');
}
