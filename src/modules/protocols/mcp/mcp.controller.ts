import { Body, Controller, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { Principal } from '../../../kernel/principal.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import {
  AllowTestKeys,
  AnyOrigin,
  Caller,
  ProtectedResource,
  Scope,
} from '../../../platform/http/request/route-policy.js';
import { version } from '../../../platform/telemetry/version.js';
import { CallerTools, TEAM_TOOLS } from './caller.tools.js';
import type { McpTools } from './mcp.tools.js';
import { RESOURCE_METADATA_PATH } from './protected-resource.controller.js';

/** The Model Context Protocol. What a tool costs, and which tier has it, is checked where the tool is called. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  private tools: Promise<McpTools> | null = null;

  constructor(private readonly callerTools: CallerTools) {}

  @Post()
  @Scope('verify', 'lists', 'read', 'usage')
  @HttpCode(200)
  @MultipleTransactions()
  @AllowTestKeys()
  @AnyOrigin()
  @ProtectedResource(RESOURCE_METADATA_PATH)
  async handle(
    @Body() message: object,
    @Headers() headers: IncomingHttpHeaders,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
    // Ignored: plugins and people add to the URL where they have it from.
    @Query() _query: object,
  ): Promise<object | undefined> {
    // A batch would be many calls that count as one request.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new InvalidRequest([ONE_MESSAGE]);
    const { backend, rethrow } = this.callerTools.of(caller);
    this.tools ??= loadTools();
    const { status, body } = await (await this.tools).respondTo(message, headers, backend);
    rethrow();
    response.status(status);
    return body;
  }
}

const ONE_MESSAGE = { pointer: '', code: 'invalid_type', message: 'Send one JSON-RPC message as an object.' };

/** With the first message: the SDK takes 0.1 s and 25 MB, and most installations do not use it. */
async function loadTools(): Promise<McpTools> {
  const { McpTools } = await import('./mcp.tools.js');
  return new McpTools(TEAM_TOOLS, version());
}
