import { Body, Controller, Get, Headers, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import type { Principal } from '../../../../kernel/principal.js';
import { MultipleTransactions } from '../../../../platform/http/idempotency/idempotency-key.js';
import {
  AllowPublishableKeys,
  AllowTestKeys,
  Caller,
  ClientNetwork,
  Costs,
  Feature,
  FeatureWhenRequested,
  Scope,
} from '../../../../platform/http/request/route-policy.js';
import { explanationOf, ReplyExplainBody, ReplyExplanationResponse } from './replies.dto.js';
import { SmtpTranscript } from '../../../../engine/smtp/smtp-transcript.js';
import { toResponse, VerdictResponse } from './verification.dto.js';
import { VerificationService } from './verification.service.js';
import { VisitorVerificationService } from './visitor-verification.service.js';
import { maxAgeOf, VerdictsResponse, VerifyQuery, VerifyRequestBody } from './verify-request.dto.js';
import { ReducedVerdictResponse, toReducedResponse } from './reduced-verdict.dto.js';

const refsTo = (...classes: Parameters<typeof getSchemaPath>[0][]) =>
  classes.map((type) => ({ $ref: getSchemaPath(type) }));
const ONE = { title: 'AnyVerdict', oneOf: refsTo(VerdictResponse, ReducedVerdictResponse) };
const ONE_OR_SEVERAL = {
  title: 'AnyVerdicts',
  oneOf: refsTo(VerdictResponse, VerdictsResponse, ReducedVerdictResponse),
};

@ApiTags('Verification')
@Controller('v1')
export class VerificationController {
  constructor(
    private readonly verification: VerificationService,
    private readonly visitors: VisitorVerificationService,
  ) {}

  @Get('verify')
  @Scope('verify')
  @Feature('verify')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @AllowPublishableKeys()
  @Operation('verify', 'Verify an address')
  @ApiExtraModels(VerdictResponse, ReducedVerdictResponse)
  @ApiOkResponse({
    schema: ONE,
    description: 'The verdict, with its evidence; without it for a publishable key.',
  })
  async verify(
    @Query() { email, refresh, max_age, timeout }: VerifyQuery,
    @Caller() caller: Principal,
    @ClientNetwork() client: string,
    @Headers('origin') origin = '',
  ): Promise<VerdictResponse | ReducedVerdictResponse> {
    const options = { maxAge: maxAgeOf({ refresh, max_age }), timeoutMs: timeout * 1000 };
    if (caller.publishable !== null)
      return toReducedResponse(await this.visitors.verify(caller, email, { client, origin }, options));
    const [verdict] = await this.verification.verify(caller, [email], options);
    return toResponse(verdict!);
  }

  /** The guard checks `refresh` in a query; the service checks it in a body, and `max_age`. */
  @Post('verify')
  @Scope('verify')
  @HttpCode(200)
  @MultipleTransactions()
  @Feature('verify')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @AllowTestKeys()
  @AllowPublishableKeys()
  @Operation(
    'verifyInBody',
    'The same for up to 25 addresses, which are not part of the URL',
    'Proxies and servers often log URLs, but not bodies.',
  )
  @ApiExtraModels(VerdictsResponse)
  @ApiOkResponse({
    schema: ONE_OR_SEVERAL,
    description:
      'The verdict on `email`, without its evidence for a publishable key; or `data` with those on `emails`.',
  })
  async verifyBody(
    @Body() { email, emails = [], refresh, max_age, timeout, dialogue }: VerifyRequestBody,
    @Caller() caller: Principal,
    @ClientNetwork() client: string,
    @Headers('origin') origin = '',
  ): Promise<VerdictResponse | VerdictsResponse | ReducedVerdictResponse> {
    const options = { maxAge: maxAgeOf({ refresh, max_age }), timeoutMs: timeout * 1000 };
    if (caller.publishable !== null)
      return toReducedResponse(await this.visitors.verify(caller, email, { client, origin }, options));
    const transcript = dialogue && email !== undefined ? new SmtpTranscript() : undefined;
    const addresses = email === undefined ? emails : [email];
    const verdicts = await this.verification.verify(caller, addresses, { ...options, transcript });
    const [first, ...others] = verdicts.map(toResponse) as [VerdictResponse, ...VerdictResponse[]];
    if (transcript !== undefined && first.smtp !== null) first.smtp.dialogue = [...transcript.lines];
    return email === undefined ? { data: [first, ...others] } : first;
  }

  @Post('replies/explain')
  @Scope('verify', 'lists', 'read')
  @AllowTestKeys()
  @Operation(
    'explainReply',
    'How a reply of a mail server is classified',
    'The same classification as in verdicts, with the rule and the weights. Costs nothing.',
  )
  @Ok('The classification.', ReplyExplanationResponse)
  explain(@Body() { text, stage, provider }: ReplyExplainBody): ReplyExplanationResponse {
    return explanationOf({ text, stage, provider });
  }
}
