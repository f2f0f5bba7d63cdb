import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Role } from '../../../platform/http/request/route-policy.js';
import { ExaminationResponse, toExamination } from './examination.dto.js';
import { CheckHistoryResponse, toHistory } from './checks.dto.js';
import { SystemResponse, toResponse } from './system.dto.js';
import { SystemService } from './system.service.js';

@ApiTags('System')
@Controller('v1/admin/system')
@Role('owner')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Get()
  @Operation(
    'system',
    'The state of the installation, for the owner of its first team',
    'Queues and breakers are those of the installation. Verdicts and probes are counted by the process that responds, since its start; `GET /metrics` of each process has all counters.',
  )
  @Ok('The state now. No domain, host or team is named.', SystemResponse)
  async state(@Caller() caller: Principal): Promise<SystemResponse> {
    return toResponse(await this.system.state(caller));
  }

  @Get('checks')
  @Operation(
    'systemCheckHistory',
    'The results of the checks of every egress in the last 90 days, for the owner of the first team',
    'A worker makes them at the interval of `SELF_CHECK_EVERY`. Each day has the worst result.',
  )
  @Ok('The days of each check that is still made. Days without a result are missing.', CheckHistoryResponse)
  async history(@Caller() caller: Principal): Promise<CheckHistoryResponse> {
    return toHistory(await this.system.checkHistory(caller));
  }

  @Get('examination')
  @Operation(
    'examineSystem',
    'The findings of `rcpt doctor`, for the owner of the first team',
    'Runs the checks in the process that responds, which takes up to 12 s. Findings of the last minute are returned again. Mail servers may see a worker with another address: run `rcpt doctor` there too.',
  )
  @Ok('The findings, in the order of `rcpt doctor`.', ExaminationResponse)
  async examine(@Caller() caller: Principal): Promise<ExaminationResponse> {
    return toExamination(await this.system.examine(caller));
  }
}
