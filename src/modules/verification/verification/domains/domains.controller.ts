import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../../kernel/principal.js';
import { Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { Caller, Feature, Scope } from '../../../../platform/http/request/route-policy.js';
import { DomainParameter, DomainResponse, toResponse } from './domains.dto.js';
import { DomainsService } from './domains.service.js';

@ApiTags('Verification')
@Controller('v1/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get(':domain')
  @Scope('verify', 'read')
  @Feature('domains')
  @Operation(
    'lookUpDomain',
    'What a domain says about its mail',
    'By the DNS and by what is stored: no mail server is contacted. Costs one request of the rate, and no quota. What cannot be looked up is null, and named in `errors`.',
  )
  @Ok('The facts.', DomainResponse)
  async find(@Param() { domain }: DomainParameter, @Caller() caller: Principal): Promise<DomainResponse> {
    return toResponse(await this.domains.find(caller, domain));
  }
}
