import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { recordLog } from '../jest/log-scan.js';

const INFO = { name: 'test', version: '1.0.0' };
const command = join(import.meta.dirname, '../../../bin/rcpt.js');

/** Revision 2025-11-25 and before begin with `initialize`; those from 2026-07-28 have no handshake. */
export type Era = 'legacy' | { pin: string };

/** A client of the SDK that is connected to `POST /mcp` with a key. */
export async function mcpOverHttp(url: string, key: string, mode: Era = 'legacy'): Promise<Client> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}

/** A client of the SDK that has started `rcpt mcp`. @returns it, and what the process wrote to standard error. */
export async function mcpOverStdio(
  env: Record<string, string>,
  cwd: string,
): Promise<{ client: Client; stderr: () => string }> {
  const client = new Client(INFO);
  const { PATH = '', HOME = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp'],
    env: { PATH, HOME, ...env },
    cwd,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    recordLog(chunk);
  });
  await client.connect(transport);
  return { client, stderr: () => stderr };
}

/** The structured content of a call that succeeded; the text has to be the same, for clients without it. */
export async function calling<T>(client: Client, name: string, args: object = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError === true) throw new Error(textOf(result));
  const text = JSON.parse(textOf(result)) as object;
  if (JSON.stringify(text) !== JSON.stringify(result.structuredContent)) throw new Error('the text differs');
  return result.structuredContent as T;
}

/** The problem of a call that failed. */
export async function refusalOf(
  client: Client,
  name: string,
  args: object = {},
): Promise<{ code: string; detail: string; [member: string]: unknown }> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError !== true) throw new Error(`not refused: ${textOf(result)}`);
  return JSON.parse(textOf(result)) as { code: string; detail: string };
}

function textOf({ content }: CallToolResult): string {
  const [only, ...more] = content;
  if (only?.type !== 'text' || more.length > 0) throw new Error('not one text');
  return only.text;
}
