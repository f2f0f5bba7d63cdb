import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { InvalidRequest } from '../../kernel/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { MultipleTransactions } from '../../platform/http/idempotency/idempotency-key.js';
import { AllowTestKeys, Caller, OwnOriginOnly } from '../../platform/http/request/route-policy.js';
import { version } from '../../platform/telemetry/version.js';
import { CallerTools, TEAM_TOOLS } from './caller-tools.js';
import type { McpResponse } from './mcp-http.js';
import type { McpTools } from './mcp-tools.js';

/** The Model Context Protocol. What a tool costs, and which tier has it, is checked where the tool is called. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  private loaded: Promise<(...message: Message) => Promise<McpResponse>> | null = null;

  constructor(private readonly callerTools: CallerTools) {}

  @Post()
  @HttpCode(200)
  @MultipleTransactions()
  @AllowTestKeys()
  @OwnOriginOnly()
  async handle(
    @Body() message: object,
    @Headers() headers: IncomingHttpHeaders,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    // A batch would be many calls that count as one request.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new InvalidRequest([ONE_MESSAGE]);
    const { backend, rethrow } = this.callerTools.of(caller);
    this.loaded ??= load();
    const { status, body } = await (await this.loaded)(message, headers, backend);
    rethrow();
    response.status(status);
    return body;
  }
}

const ONE_MESSAGE = { pointer: '', code: 'invalid_type', message: 'Send one JSON-RPC message as an object.' };

type Message = [
  message: object,
  headers: IncomingHttpHeaders,
  backend: ReturnType<CallerTools['of']>['backend'],
];

/** With the first message: the SDK takes 0.1 s and 25 MB, and most installations do not use it. */
async function load(): Promise<(...message: Message) => Promise<McpResponse>> {
  const [{ respondTo }, { McpTools }] = await Promise.all([
    import('./mcp-http.js'),
    import('./mcp-tools.js'),
  ]);
  const tools: McpTools = new McpTools(TEAM_TOOLS, version());
  return (message, headers, backend) => respondTo(message, headers, tools, backend);
}
