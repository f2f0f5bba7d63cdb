import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { FORM_TYPE } from '../../platform/http/body/form-file.js';
import { streamedBody, StreamsBody, type BodyFormats } from '../../platform/http/body/streamed-body.js';
import { storeResponse } from '../../platform/http/idempotency/idempotency.interceptor.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import { OUTCOME_FORMATS, type OutcomeFormat } from './domain/outcome-formats.js';
import { Outcome, OutcomeList, OutcomeReceipt } from './outcome-intake.dto.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';

const FORMATS = Object.entries(OUTCOME_FORMATS) as [OutcomeFormat, (typeof OUTCOME_FORMATS)[OutcomeFormat]][];
const BODY_FORMATS: BodyFormats<OutcomeFormat> = {
  byType: Object.fromEntries(FORMATS.map(([format, { contentType }]) => [contentType, format])),
  byExtension: Object.fromEntries(
    FORMATS.flatMap(([format, { extensions }]) => extensions.map((extension) => [extension, format])),
  ),
};
const DESCRIPTION = FORMATS.map(
  ([, { contentType, description }]) => `\`${contentType}\`: ${description}.`,
).join(' ');
/** Room for 100,000 rows with a reply. */
const MAX_BYTES = 150_000_000;

@ApiTags('Outcomes')
@Controller('v1/outcomes')
export class OutcomeIntakeController {
  constructor(private readonly intake: OutcomeIntakeService) {}

  @Post()
  @HttpCode(200)
  @StreamsBody()
  @ApiOperation({
    operationId: 'reportOutcomes',
    summary: 'Report what became of mails',
    description:
      'An entry that cannot be used is ignored with its reason, and the others are stored. At most 100,000 rows.',
  })
  @ApiConsumes(...Object.keys(BODY_FORMATS.byType), FORM_TYPE)
  @ApiExtraModels(Outcome, OutcomeList)
  @ApiBody({
    description: `${DESCRIPTION} \`${FORM_TYPE}\`: one file in one of these formats, and no fields.`,
    schema: {
      title: 'OutcomeReport',
      oneOf: [{ $ref: getSchemaPath(Outcome) }, { $ref: getSchemaPath(OutcomeList) }],
    },
  })
  @ApiOkResponse({ type: OutcomeReceipt, description: 'How many were stored, and why others were not.' })
  async report(
    @Req() request: Request,
    @Caller() { teamId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OutcomeReceipt> {
    const body = streamedBody(request, BODY_FORMATS, MAX_BYTES);
    const receipt = await this.intake.receive(teamId, await body.open());
    await storeResponse(response, receipt, body.digest());
    return receipt;
  }
}
