import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import type { ToolBackend } from './domain/tool-backend.js';
import type { McpTools } from './mcp-tools.js';

export interface McpResponse {
  status: number;
  /** undefined: none. */
  body: object | undefined;
}

/** Headers that the protocol defines. */
const OWN_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** Every response is JSON, whatever the client accepts: there is nothing to stream. */
const ACCEPT = 'application/json, text/event-stream';

/** Streamable HTTP without sessions: a server for each message. Revision 2026-07-28, and those before it. */
export async function respondTo(
  message: object,
  headers: IncomingHttpHeaders,
  tools: McpTools,
  backend: ToolBackend,
): Promise<McpResponse> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...ownHeadersIn(headers) },
  });
  const isLegacy = await isLegacyRequest(request, message);
  const respond = isLegacy ? legacyResponse : currentResponse;
  const response = await respond(request, message, tools, backend);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as object) };
}

async function legacyResponse(
  request: Request,
  message: object,
  tools: McpTools,
  backend: ToolBackend,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = tools.serverFor(backend);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Nothing changes that a client could subscribe to, and a subscription would hold the connection. */
async function currentResponse(
  request: Request,
  message: object,
  tools: McpTools,
  backend: ToolBackend,
): Promise<Response> {
  const handler = createMcpHandler(() => tools.serverFor(backend), { legacy: 'reject', maxSubscriptions: 0 });
  try {
    return await handler.fetch(request, { parsedBody: message });
  } finally {
    await handler.close();
  }
}

function ownHeadersIn(headers: IncomingHttpHeaders): Record<string, string> {
  const sent = OWN_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(sent.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
