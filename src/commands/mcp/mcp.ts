import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { once } from 'node:events';
import { McpTools, type ToolBackend } from '../../modules/protocols/mcp/mcp.tools.js';
import { version } from '../../platform/telemetry/version.js';
import { serviceOf } from '../service-client.js';

/** Serves tools on standard input and output, until the client closes the input. Nothing else writes to the output. */
export async function runMcp(options: { url?: string }): Promise<void> {
  const service = serviceOf(options.url);
  if (service !== null) {
    const { ServiceTools } = await import('./service-tools.js');
    return serve(new ServiceTools(service));
  }
  const { withLocalTools } = await import('./local-tools.js');
  return withLocalTools(serve);
}

async function serve(backend: ToolBackend): Promise<void> {
  const tools = new McpTools(backend.options, version());
  const ended = once(process.stdin, 'close');
  const handle = serveStdio(() => tools.serverFor(backend), { transport: new StdioServerTransport() });
  await ended;
  await handle.close();
}
