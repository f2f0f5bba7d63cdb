import { Controller, Get, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AuditLog } from '../../../kernel/audit-log.js';
import { pagesOf } from '../../../kernel/page.js';
import type { Principal } from '../../../kernel/principal.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { download } from '../../../platform/http/downloads/download.js';
import { DownloadSlots } from '../../../platform/http/downloads/download-slots.js';
import {
  LIST_TYPES,
  STREAMED_TYPES,
  StreamedFormat,
} from '../../../platform/http/downloads/streamed-format.js';
import { Cursors, PageOf } from '../../../platform/http/paging/cursor.js';
import { Caller, Role } from '../../../platform/http/request/route-policy.js';
import { AuditPage, AuditQuery, toCsv, toFilter, toNdjson, toResponse } from './audit.dto.js';

@ApiTags('Audit')
@Controller('v1/audit')
@Role('admin')
export class AuditController {
  constructor(
    private readonly log: AuditLog,
    private readonly cursors: Cursors,
    private readonly downloads: DownloadSlots,
  ) {}

  @Get()
  @Operation(
    'listAuditLog',
    'Who changed what in the team',
    '`Accept: text/csv` or `application/x-ndjson` streams all entries, with the name of a file in `Content-Disposition`.',
  )
  @ApiProduces(...LIST_TYPES)
  @PageOf('Newest first.', AuditPage)
  async list(
    @Query() query: AuditQuery,
    @StreamedFormat(['csv', 'ndjson']) streamed: 'csv' | 'ndjson' | null,
    @Caller() { teamId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditPage | StreamableFile> {
    response.vary('Accept');
    const filter = toFilter(teamId, query);
    if (streamed !== null) {
      const { signal, release } = this.downloads.acquire(teamId);
      const pages = pagesOf((page) => this.log.list(filter, page));
      const text = streamed === 'csv' ? toCsv(pages) : toNdjson(pages);
      const type = STREAMED_TYPES[streamed];
      response.attachment(`audit.${streamed}`).type(type);
      return download(response, { text, type, signal, onClose: release });
    }
    const { actor = '', action = '', from = '', to = '' } = query;
    const scope = `audit ${teamId} ${actor} ${action} ${from} ${to}`;
    const page = await this.log.list(filter, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }
}
