import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Role, Scope } from '../../../platform/http/request/route-policy.js';
import { entityTag, expectedBy, PolicyBody, PolicyResponse, toResponse, toRules } from './policy.dto.js';
import { PolicyService } from './policy.service.js';

const IF_MATCH = {
  name: 'If-Match',
  description: 'The `ETag` of the policy that this change is made to; if absent, of any.',
  required: false,
  schema: { type: 'string' as const, maxLength: 200 },
};

@ApiTags('Policy')
@Controller('v1/policy')
export class PolicyController {
  constructor(private readonly policies: PolicyService) {}

  @Get()
  @Scope('read')
  @Operation('policy', 'The rules by which the team decides about addresses')
  @Ok('The rules in their order. `ETag` is for `If-Match` of a change.', PolicyResponse)
  async get(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PolicyResponse> {
    const policy = await this.policies.get(caller.teamId);
    response.setHeader('ETag', entityTag(policy));
    return toResponse(policy);
  }

  @Put()
  @Role('admin')
  @ApiHeader(IF_MATCH)
  @Operation(
    'replacePolicy',
    'Replace the rules',
    'They apply to each verdict that is read from now on, also to stored ones; in all processes within 5 seconds.',
  )
  @Ok('The rules, with ids. `ETag` is for `If-Match` of the next change.', PolicyResponse)
  async replace(
    @Body() { rules }: PolicyBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PolicyResponse> {
    const policy = await this.policies.replace(caller, toRules(rules), expectedBy(ifMatch));
    response.setHeader('ETag', entityTag(policy));
    return toResponse(policy);
  }
}
