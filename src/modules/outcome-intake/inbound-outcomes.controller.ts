import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { bufferedBody } from '../../platform/http/body/raw-body.js';
import { StreamsBody } from '../../platform/http/body/streamed-body.js';
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
  @HttpCode(200)
  // The signature covers the bytes, so the body is not parsed.
  @StreamsBody()
  @ApiOperation({ operationId: 'receiveOutcomeEvents', summary: 'Receive the events of a provider' })
  @ApiOkResponse({ type: EventReceipt, description: 'Events that are no outcome are ignored.' })
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
