import { Controller, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import type { Principal } from '../../../kernel/principal.js';
import { bodyFormats, streamedBody, StreamsBody } from '../../../platform/http/body/streamed-body.js';
import { storeResponse } from '../../../platform/http/idempotency/idempotency.interceptor.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
import { CsvQuery, optionsOf } from '../../../platform/list-files/csv.dto.js';
import { ReaderThreads } from '../../../platform/threads/reader-threads.js';
import { Outcome, OutcomeList, OutcomeReceipt } from './outcome-intake.dto.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';
import { readOutcomes } from './outcome.reader.js';
import type { OutcomeFormat } from './outcomes.thread.js';

const FORMATS = bodyFormats<OutcomeFormat>({
  json: 'one outcome, or `outcomes` with 1 to 1,000 of them, at most 2 MB',
  csv: 'columns named like the members of an outcome; other columns are ignored',
  ndjson: 'one outcome per line',
  message: 'one delivery report (RFC 3464, or written for people) or complaint (RFC 5965), as it arrived',
});
/** Room for 100,000 rows with a reply. */
const MAX_BYTES = 150_000_000;

@ApiTags('Outcomes')
@Controller('v1/outcomes')
export class OutcomeIntakeController {
  constructor(
    private readonly intake: OutcomeIntakeService,
    private readonly threads: ReaderThreads,
  ) {}

  @Post()
  @Scope('outcomes')
  @StreamsBody()
  @Operation(
    'reportOutcomes',
    'Report what became of mails',
    'An entry that cannot be used is ignored with its reason, and the others are stored. At most 100,000 rows.',
  )
  @ApiConsumes(...FORMATS.types)
  @ApiExtraModels(Outcome, OutcomeList)
  @ApiBody({
    description: FORMATS.description,
    schema: {
      title: 'OutcomeReport',
      oneOf: [{ $ref: getSchemaPath(Outcome) }, { $ref: getSchemaPath(OutcomeList) }],
    },
  })
  @Ok('How many were stored, and why others were not.', OutcomeReceipt)
  async report(
    @Req() request: AuthenticatedRequest,
    @Query() query: CsvQuery,
    @Caller() { teamId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OutcomeReceipt> {
    const body = streamedBody(request, FORMATS, MAX_BYTES);
    const { isKeyValid } = request;
    const reading = { team: teamId, isKeyValid, options: optionsOf(query, body.charset) };
    const entries = readOutcomes(await body.open(), reading, this.threads);
    const receipt = await this.intake.receive(teamId, entries);
    await storeResponse(response, receipt, body.digest());
    return receipt;
  }
}
