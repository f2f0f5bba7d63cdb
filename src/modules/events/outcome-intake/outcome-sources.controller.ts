import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { bufferedBody } from '../../../platform/http/body/raw-body.js';
import { StreamsBody } from '../../../platform/http/body/streamed-body.js';
import { Created, NoContent, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import type { Principal } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { ShownOnce } from '../../../platform/http/idempotency/idempotency-key.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  Caller,
  Public,
  Scope,
  NotFromLimitedNetworks,
} from '../../../platform/http/request/route-policy.js';
import {
  EventReceipt,
  IssuedOutcomeSource,
  OutcomeSourceCreate,
  OutcomeSourcePage,
  toResponse,
} from './outcome-sources.dto.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';

/** Larger than the batches of the providers. */
const MAX_BYTES = 1_000_000;

@ApiTags('Outcomes')
@Controller()
export class OutcomeSourcesController {
  constructor(
    private readonly sources: OutcomeSourcesService,
    private readonly cursors: Cursors,
    private readonly config: Config,
  ) {}

  @Get('v1/outcome-sources')
  @Scope('read', 'outcomes')
  @Operation('listOutcomeSources', 'The providers that send events')
  @PageOf('Newest first.', OutcomeSourcePage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<OutcomeSourcePage> {
    const scope = `outcome-sources ${caller.teamId}`;
    const page = await this.sources.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  /** Its URL takes events from every network. */
  @Post('v1/outcome-sources')
  @NotFromLimitedNetworks()
  @Scope('outcomes')
  @ShownOnce('url')
  @Operation('addOutcomeSource', 'Add a provider that sends events')
  @Created('The source, with its URL.', IssuedOutcomeSource)
  async add(
    @Body() { kind, secret }: OutcomeSourceCreate,
    @Caller() caller: Principal,
  ): Promise<IssuedOutcomeSource> {
    const { source, token } = await this.sources.add(caller, kind, secret);
    return {
      ...toResponse({ source, reports: [] }),
      url: this.urlOf(token),
    };
  }

  @Delete('v1/outcome-sources/:id')
  @Scope('outcomes')
  @Operation('deleteOutcomeSource', 'Delete a source; its URL becomes unknown')
  @NoContent('The source was deleted.')
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.sources.delete(caller, id);
  }

  @Post('inbound/outcomes/:token')
  @Public()
  // The signature covers the bytes, so the body is not parsed.
  @StreamsBody()
  @Operation('receiveOutcomeEvents', 'Receive the events of a provider')
  @Ok('Events that are no outcome are ignored.', EventReceipt)
  async receive(@Param('token') token: string, @Req() request: Request): Promise<EventReceipt> {
    const source = await this.sources.open(token);
    const body = await bufferedBody(request, MAX_BYTES);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        (header): header is [string, string] => typeof header[1] === 'string',
      ),
    );
    const { ignored, ...counts } = await this.sources.receive(source, {
      headers,
      body,
      url: this.urlOf(token),
    });
    return { ...counts, ignored: ignored.length };
  }

  private urlOf(token: string): string {
    return `${this.config.publicUrl}/inbound/outcomes/${token}`;
  }
}
