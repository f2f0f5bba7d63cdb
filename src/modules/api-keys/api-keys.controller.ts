import { Body, Controller, Delete, Get, Header, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser } from '../../platform/http/request/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/paging/cursor.js';
import { Paged } from '../../platform/http/paging/next-page.js';
import {
  ApiKeyCreate,
  ApiKeyRotate,
  KeyResponse,
  KeysPage,
  NewKeyResponse,
  toNewResponse,
  toResponse,
  toInput,
} from './api-keys.dto.js';
import { ApiKeysService, type IssuedKey } from './api-keys.service.js';

@ApiTags('Keys')
@Controller('v1/keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Paged()
  @ApiOperation({ operationId: 'listKeys', summary: 'The team’s keys, masked' })
  @ApiOkResponse({ type: KeysPage, description: 'Newest first, including revoked and expired keys.' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<KeysPage> {
    const scope = `keys ${caller.teamId}`;
    const page = await this.keys.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @NeedsUser()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'createKey', summary: 'Create a key' })
  @ApiCreatedResponse({ type: NewKeyResponse, description: 'The key, shown once.' })
  async create(
    @Body() body: ApiKeyCreate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewKeyResponse> {
    const issued = await this.keys.create(caller, toInput(body));
    response.location(locationOf(issued));
    return toNewResponse(issued);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'key', summary: 'One key, masked' })
  @ApiOkResponse({ type: KeyResponse, description: 'As the list has it.' })
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return toResponse(await this.keys.get(caller.teamId, id));
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'revokeKey', summary: 'Revoke a key immediately' })
  @ApiOkResponse({ type: KeyResponse, description: 'The revoked key.' })
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return toResponse(await this.keys.revoke(caller, id));
  }

  @Post(':id/rotate')
  @Header('Cache-Control', 'no-store')
  @ApiBody({ type: ApiKeyRotate, required: false })
  @ApiOperation({ operationId: 'rotateKey', summary: 'Replace a key with a new one' })
  @ApiCreatedResponse({ type: NewKeyResponse, description: 'The new key, shown once.' })
  async rotate(
    @Param('id') id: string,
    @Body() { grace_seconds }: ApiKeyRotate,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewKeyResponse> {
    const issued = await this.keys.rotate(caller, id, grace_seconds);
    response.location(locationOf(issued));
    return toNewResponse(issued);
  }
}

function locationOf({ key }: IssuedKey): string {
  return `/v1/keys/${key.id}`;
}
