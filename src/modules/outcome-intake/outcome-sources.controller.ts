import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Principal } from '../../kernel/principal.js';
import { Config } from '../../platform/config/config.js';
import { ShownOnce } from '../../platform/http/idempotency/idempotency-key.js';
import { Cursors, PageQuery } from '../../platform/http/paging/cursor.js';
import { Paged } from '../../platform/http/paging/next-page.js';
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
  @Paged()
  @ApiOperation({ operationId: 'listOutcomeSources', summary: 'The providers that send events' })
  @ApiOkResponse({ type: OutcomeSourcePage, description: 'Newest first.' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<OutcomeSourcePage> {
    const scope = `outcome-sources ${caller.teamId}`;
    const page = await this.sources.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @ShownOnce('url')
  @ApiOperation({ operationId: 'addOutcomeSource', summary: 'Add a provider that sends events' })
  @ApiCreatedResponse({ type: IssuedOutcomeSource, description: 'The source, with its URL.' })
  async add(
    @Body() { kind, secret }: OutcomeSourceCreate,
    @Caller() caller: Principal,
  ): Promise<IssuedOutcomeSource> {
    const { source, token } = await this.sources.add(caller, kind, secret);
    return { ...toResponse(source), url: `${this.config.publicUrl}/inbound/outcomes/${token}` };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteOutcomeSource', summary: 'Delete a source; its URL becomes unknown' })
  @ApiNoContentResponse({ description: 'The source was deleted.' })
  delete(@Param('id') id: string, @Caller() caller: Principal): Promise<void> {
    return this.sources.delete(caller, id);
  }
}
