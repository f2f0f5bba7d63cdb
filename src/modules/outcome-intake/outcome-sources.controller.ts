import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Created, NoContent, Operation } from '../../platform/http/openapi/operation.js';
import type { Principal } from '../../kernel/principal.js';
import { Config } from '../../platform/config/config.js';
import { ShownOnce } from '../../platform/http/idempotency/idempotency-key.js';
import { Cursors, PageOf, PageQuery } from '../../platform/http/paging/cursor.js';
import { Caller } from '../../platform/http/request/route-policy.js';
import {
  IssuedOutcomeSource,
  OutcomeSourceCreate,
  OutcomeSourcePage,
  toResponse,
} from './outcome-sources.dto.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';

@ApiTags('Outcomes')
@Controller('v1/outcome-sources')
export class OutcomeSourcesController {
  constructor(
    private readonly sources: OutcomeSourcesService,
    private readonly cursors: Cursors,
    private readonly config: Config,
  ) {}

  @Get()
  @Operation('listOutcomeSources', 'The providers that send events')
  @PageOf('Newest first.', OutcomeSourcePage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<OutcomeSourcePage> {
    const scope = `outcome-sources ${caller.teamId}`;
    const page = await this.sources.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @ShownOnce('url')
  @Operation('addOutcomeSource', 'Add a provider that sends events')
  @Created('The source, with its URL.', IssuedOutcomeSource)
  async add(
    @Body() { kind, secret }: OutcomeSourceCreate,
    @Caller() caller: Principal,
  ): Promise<IssuedOutcomeSource> {
    const { source, token } = await this.sources.add(caller, kind, secret);
    return { ...toResponse(source), url: `${this.config.publicUrl}/inbound/outcomes/${token}` };
  }

  @Delete(':id')
  @Operation('deleteOutcomeSource', 'Delete a source; its URL becomes unknown')
  @NoContent('The source was deleted.')
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.sources.delete(caller, id);
  }
}
