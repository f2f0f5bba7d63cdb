import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
import { toRules } from '../../verification/policy/policy.dto.js';
import { PolicyPreviewBody, PolicyPreviewResponse, toResponse } from './policy-preview.dto.js';
import { PolicyPreviewService } from './policy-preview.service.js';

@ApiTags('Policy')
@Controller('v1/policy/preview')
export class PolicyPreviewController {
  constructor(private readonly previews: PolicyPreviewService) {}

  @Post()
  @Scope('read')
  @Operation(
    'previewPolicy',
    'What rules would change',
    'Over the live verdicts that are still stored, without addresses. Costs nothing.',
  )
  @Ok('How many decisions would change, with a few examples.', PolicyPreviewResponse)
  async preview(
    @Body() { rules, days }: PolicyPreviewBody,
    @Caller() caller: Principal,
  ): Promise<PolicyPreviewResponse> {
    return toResponse(await this.previews.preview(caller.teamId, toRules(rules), days));
  }
}
