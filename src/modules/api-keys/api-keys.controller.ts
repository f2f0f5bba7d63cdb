import { Body, Controller, Delete, Get, Header, Param, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/documented.js';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Principal } from '../../kernel/principal.js';
import { Caller, NeedsUser } from '../../platform/http/route-policy.js';
import { Cursors, PageQuery } from '../../platform/http/cursor.js';
import { Post } from '../../platform/http/post.js';
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
  @ApiOperation({ operationId: 'listKeys', summary: 'The team’s keys, masked' })
  @ApiOkResponse({ standardSchema: KeysPage, description: 'Newest first, revoked and expired ones too.' })
  async list(
    @Query({ schema: PageQuery }) query: z.infer<typeof PageQuery>,
    @Caller() caller: Principal,
  ): Promise<KeysPage> {
    const scope = `keys ${caller.teamId}`;
    const page = await this.keys.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.answer(page, scope, toResponse);
  }

  @Post()
  @NeedsUser()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'createKey', summary: 'Make a key' })
  @ApiCreatedResponse({ standardSchema: NewKeyResponse, description: 'The key, shown this once.' })
  async create(
    @Body({ schema: ApiKeyCreate }) body: z.infer<typeof ApiKeyCreate>,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewKeyResponse> {
    const issued = await this.keys.create(caller, toInput(body));
    response.location(locationOf(issued));
    return toNewResponse(issued);
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'revokeKey', summary: 'End a key at once' })
  @ApiOkResponse({ standardSchema: KeyResponse, description: 'It is revoked, whether or not it was before.' })
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return toResponse(await this.keys.revoke(caller, id));
  }

  @Post(':id/rotate')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'rotateKey', summary: 'Put a new key in the place of another' })
  @ApiCreatedResponse({ standardSchema: NewKeyResponse, description: 'The new key, shown this once.' })
  async rotate(
    @Param('id') id: string,
    @Body({ schema: ApiKeyRotate }) { grace_seconds }: z.infer<typeof ApiKeyRotate>,
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
