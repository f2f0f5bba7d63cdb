import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { bufferedBody } from '../../platform/http/body/raw-body.js';
import { StreamsBody } from '../../platform/http/body/streamed-body.js';
import { Ok, Operation } from '../../platform/http/openapi/operation.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { EventReceipt } from './outcome-sources.dto.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';

/** Larger than the batches of the providers. */
const MAX_BYTES = 1_000_000;

@ApiTags('Outcomes')
@Controller('inbound/outcomes')
export class InboundOutcomesController {
  constructor(private readonly sources: OutcomeSourcesService) {}

  @Post(':token')
  @Public()
  // The signature covers the bytes, so the body is not parsed.
  @StreamsBody()
  @Operation('receiveOutcomeEvents', 'Receive the events of a provider')
  @Ok('Events that are no outcome are ignored.', EventReceipt)
  async receive(@Param('token') token: string, @Req() request: Request): Promise<EventReceipt> {
    const source = await this.sources.find(token);
    const body = await bufferedBody(request, MAX_BYTES);
    const header = (name: string) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const { ignored, ...counts } = await this.sources.receive(source, { header, body });
    return { ...counts, ignored: ignored.length };
  }
}
