import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Costs, Feature, FeatureWhenAsked } from '../../platform/http/route-policy.js';
import { toResponse, VerdictResponse, VerifyQuery } from './verification.dto.js';
import { VerificationService } from './verification.service.js';

@ApiTags('Verification')
@Controller('v1/verify')
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  @Get()
  @Feature('verify')
  @FeatureWhenAsked('refresh')
  @Costs(1)
  @ApiOperation({ operationId: 'verify', summary: 'Will mail to this address arrive?' })
  @ApiOkResponse({ standardSchema: VerdictResponse, description: 'The verdict, with the evidence.' })
  async verify(
    @Query({ schema: VerifyQuery }) query: z.infer<typeof VerifyQuery>,
    @Caller() caller: Principal,
  ): Promise<VerdictResponse> {
    const { email, refresh, timeout } = query;
    return toResponse(await this.verification.verify(caller, { email, refresh, timeoutMs: timeout * 1000 }));
  }
}
