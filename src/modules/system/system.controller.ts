import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Caller, Role } from '../../platform/http/request/route-policy.js';
import { ExaminationResponse, toExamination } from './examination.dto.js';
import { SystemResponse, toResponse } from './system.dto.js';
import { SystemService } from './system.service.js';

@ApiTags('System')
@Controller('v1/admin/system')
@Role('owner')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'system',
    summary: 'The state of the installation, for the owner of its first team',
    description:
      'Queues and breakers are those of the installation. Verdicts and probes are counted by the process that responds, since its start; `GET /metrics` of each process has all counters.',
  })
  @ApiOkResponse({ type: SystemResponse, description: 'The state now. No domain, host or team is named.' })
  async state(@Caller() caller: Principal): Promise<SystemResponse> {
    return toResponse(await this.system.state(caller));
  }

  @Get('examination')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'examineSystem',
    summary: 'The findings of `rcpt doctor`, for the owner of the first team',
    description:
      'Runs the checks in the process that responds, which takes up to 12 s. Findings of the last minute are returned again. Mail servers may see a worker with another address: run `rcpt doctor` there too.',
  })
  @ApiOkResponse({ type: ExaminationResponse, description: 'The findings, in the order of `rcpt doctor`.' })
  async examine(@Caller() caller: Principal): Promise<ExaminationResponse> {
    return toExamination(await this.system.examine(caller));
  }
}
