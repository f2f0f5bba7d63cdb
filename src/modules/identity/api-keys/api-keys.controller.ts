import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Created, Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { Caller, NeedsUser, NotFromLimitedNetworks } from '../../../platform/http/request/route-policy.js';
import { Cursors, PageOf, PageQuery } from '../../../platform/http/paging/cursor.js';
import {
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  KeyResponse,
  KeysPage,
  NewKeyResponse,
  toNewResponse,
  toResponse,
  toInput,
} from './api-keys.dto.js';
import { ApiKeysService } from './api-keys.service.js';

@ApiTags('Keys')
@Controller('v1/keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Operation('listKeys', 'The team’s keys; secret keys are masked')
  @PageOf('Newest first, including revoked and expired keys.', KeysPage)
  async list(@Query() query: PageQuery, @Caller() caller: Principal): Promise<KeysPage> {
    const scope = `keys ${caller.teamId}`;
    const page = await this.keys.list(caller.teamId, this.cursors.request(query, scope));
    return this.cursors.pageResponse(page, scope, toResponse);
  }

  @Post()
  @NotFromLimitedNetworks()
  @NeedsUser()
  @Operation('createKey', 'Create a key')
  @Created('The key, shown once.', NewKeyResponse, '/v1/keys')
  async create(@Body() body: ApiKeyCreate, @Caller() caller: Principal): Promise<NewKeyResponse> {
    return toNewResponse(await this.keys.create(caller, toInput(body)));
  }

  @Get(':id')
  @Operation('key', 'One key; a secret key is masked')
  @Ok('As the list has it.', KeyResponse)
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return toResponse(await this.keys.get(caller.teamId, id));
  }

  @Patch(':id')
  @Operation('renameKey', 'Change the name of a key')
  @Ok('The changed key.', KeyResponse)
  async rename(
    @Param('id') id: string,
    @Body() { name }: ApiKeyUpdate,
    @Caller() caller: Principal,
  ): Promise<KeyResponse> {
    return toResponse(await this.keys.rename(caller, id, name));
  }

  @Delete(':id')
  @Operation('revokeKey', 'Revoke a key immediately')
  @Ok('The revoked key.', KeyResponse)
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return toResponse(await this.keys.revoke(caller, id));
  }

  @Post(':id/rotate')
  @NotFromLimitedNetworks()
  @ApiBody({ type: ApiKeyRotate, required: false })
  @Operation('rotateKey', 'Replace a key with a new one')
  @Created('The new key, shown once.', NewKeyResponse, '/v1/keys')
  async rotate(
    @Param('id') id: string,
    @Body() { grace_seconds }: ApiKeyRotate,
    @Caller() caller: Principal,
  ): Promise<NewKeyResponse> {
    return toNewResponse(await this.keys.rotate(caller, id, grace_seconds));
  }
}
