import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '../../platform/http/documented.js';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller } from '../../platform/http/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
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
  @ApiOperation({ operationId: 'listBlocklist', summary: 'The domains that the team has blocked' })
  @ApiOkResponse({ standardSchema: BlocklistPage, description: 'Newest first.' })
  async list(
    @Query({ schema: PageQuery }) query: z.infer<typeof PageQuery>,
    @Caller() caller: Principal,
  ): Promise<BlocklistPage> {
    const scope = `blocklist ${caller.teamId}`;
    const page = await this.blocklist.list(caller, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toResponse);
  }

  @Post()
  @ApiOperation({ operationId: 'addToBlocklist', summary: 'Block a domain and its subdomains' })
  @ApiCreatedResponse({ standardSchema: BlocklistEntryResponse, description: 'Blocked.' })
  async add(
    @Body({ schema: BlocklistAdd }) { domain, reason }: z.infer<typeof BlocklistAdd>,
    @Caller() caller: Principal,
  ): Promise<BlocklistEntryResponse> {
    return toResponse(await this.blocklist.block(caller, domain, reason));
  }

  @Delete(':domain')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeFromBlocklist', summary: 'Block a domain no longer' })
  @ApiNoContentResponse({ description: 'It is not on the list, whether or not it was.' })
  remove(
    @Param({ schema: BlockedDomain }) { domain }: z.infer<typeof BlockedDomain>,
    @Caller() caller: Principal,
  ): Promise<void> {
    return this.blocklist.unblock(caller, domain);
  }
}
