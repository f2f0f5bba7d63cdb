import { Body, Controller, Get, HttpCode, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { MultipleTransactions } from '../../platform/http/idempotency-key.js';
import { Post } from '../../platform/http/post.js';
import {
  Caller,
  Costs,
  Feature,
  FeatureWhenRequested,
  AllowTestKeys,
} from '../../platform/http/route-policy.js';
import { toResponse, VerdictResponse, VerifyQuery } from './verification.dto.js';
import { VerificationService } from './verification.service.js';
import { VerifyTogetherService } from './verify-together.service.js';
import { VerdictsResponse, VerifyRequestBody } from './verify-request.dto.js';

/** `Verdict` is open for rows of bulk jobs; here it has no other members. */
const ONLY_A_VERDICT = { $ref: getSchemaPath(VerdictResponse), unevaluatedProperties: false };
const ONE_OR_SEVERAL = { oneOf: [ONLY_A_VERDICT, { $ref: getSchemaPath(VerdictsResponse) }] };

@ApiTags('Verification')
@Controller('v1/verify')
export class VerificationController {
  constructor(
    private readonly verification: VerificationService,
    private readonly together: VerifyTogetherService,
  ) {}

  @Get()
  @Feature('verify')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @ApiOperation({ operationId: 'verify', summary: 'Verify an address' })
  @ApiExtraModels(VerdictResponse)
  @ApiOkResponse({ schema: ONLY_A_VERDICT, description: 'The verdict, with its evidence.' })
  async verify(@Query() query: VerifyQuery, @Caller() caller: Principal): Promise<VerdictResponse> {
    const { email, refresh, timeout } = query;
    return toResponse(await this.verification.verify(caller, { email, refresh, timeoutMs: timeout * 1000 }));
  }

  /** The guard reads `refresh` of a query; that of the body is the service's to refuse. */
  @Post()
  @HttpCode(200)
  @MultipleTransactions()
  @Feature('verify')
  @FeatureWhenRequested('refresh')
  @Costs(1)
  @AllowTestKeys()
  @ApiOperation({
    operationId: 'verifyInBody',
    summary: 'The same for up to 25 addresses that no URL names',
    description: 'URLs are often logged on their way; bodies are not.',
  })
  @ApiExtraModels(VerdictsResponse)
  @ApiOkResponse({
    schema: ONE_OR_SEVERAL,
    description: 'The verdict on `email`; or `data` with those on `emails`.',
  })
  async verifyBody(
    @Body() { email, emails = [], refresh, timeout }: VerifyRequestBody,
    @Caller() caller: Principal,
  ): Promise<VerdictResponse | VerdictsResponse> {
    const options = { refresh, timeoutMs: timeout * 1000 };
    const verdicts = await this.together.verify(caller, email === undefined ? emails : [email], options);
    const [first, ...others] = verdicts.map(toResponse) as [VerdictResponse, ...VerdictResponse[]];
    return email === undefined ? { data: [first, ...others] } : first;
  }
}
