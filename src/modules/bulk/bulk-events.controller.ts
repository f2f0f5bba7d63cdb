import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Principal } from '../../kernel/principal.js';
import { download } from '../../platform/http/pages/download.js';
import type { AuthenticatedRequest } from '../../platform/http/request/request-log.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import { BulkRechecksService } from './bulk-rechecks.service.js';
import { BulkEventsService, type JobStream } from './bulk-events.service.js';
import { toResponse } from './bulk.dto.js';

const EVENT_STREAM = 'text/event-stream';
/** The reconnection time of clients. */
const RETRY_MS = 2_000;

@ApiTags('Bulk')
@Controller('v1')
export class BulkEventsController {
  constructor(
    private readonly events: BulkEventsService,
    private readonly rechecks: BulkRechecksService,
    private readonly clock: Clock,
  ) {}

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
  async follow(
    @Param('id') id: string,
    @Caller() caller: Principal,
    @Req() { isKeyValid = () => Promise.resolve(false) }: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { states, end } = await this.events.follow(caller, id, isKeyValid);
    // nginx would buffer the events.
    response.setHeader('X-Accel-Buffering', 'no');
    return download(response, { text: this.textOf(states, caller), type: EVENT_STREAM, onClose: end });
  }

  /** The format of event streams (WHATWG HTML, section 9.2). */
  private async *textOf(states: JobStream['states'], { rules }: Principal): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    for await (const job of states) {
      if (job === null) yield ': alive\n\n';
      else {
        const deferred = (await this.rechecks.findDeferred([job])).get(job.listId);
        const data = JSON.stringify(toResponse(job, this.clock.now(), rules.retentionDays, deferred));
        yield `event: bulk_job\ndata: ${data}\n\n`;
      }
    }
  }
}
