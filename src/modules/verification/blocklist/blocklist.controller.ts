import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Created, NoContent, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, Scope } from '../../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  BlockedDomain,
  BlocklistAdd,
  BlocklistEntryResponse,
  BlocklistPage,
  toResponse,
} from './blocklist.dto.js';
import { BlocklistService } from './blocklist.service.js';

@ApiTags('Blocklist')
@Controller('v1/blocklist')
export class BlocklistController {
  constructor(
    private readonly blocklist: BlocklistService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Scope('read')
  @Operation('listBlocklist', 'The domains that the team has blocked')
  @PageOf('Newest first.', BlocklistPage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<BlocklistPage> {
    const scope = `blocklist ${caller.teamId}`;
    const page = await this.blocklist.list(caller, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @Operation('addToBlocklist', 'Block a domain and its subdomains')
  @Created('The new entry.', BlocklistEntryResponse)
  async add(
    @Body() { domain, reason }: BlocklistAdd,
    @Caller() caller: Principal,
  ): Promise<BlocklistEntryResponse> {
    return toResponse(await this.blocklist.block(caller, domain, reason));
  }

  @Delete(':domain')
  @Operation('removeFromBlocklist', 'Remove a domain from the blocklist')
  @NoContent('The domain is not on the list.')
  remove(@Param() { domain }: BlockedDomain, @Caller() caller: Principal): Promise<void> {
    return this.blocklist.unblock(caller, domain);
  }
}
