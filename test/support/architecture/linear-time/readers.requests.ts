import { TokenParser } from '@streamparser/json';
import { McpTools } from '../../../../src/modules/protocols/mcp/mcp.tools.js';
import type { ToolBackend } from '../../../../src/modules/protocols/mcp/domain/tool-backend.js';
import {
  documentMetadata,
  usableMetadata,
} from '../../../../src/modules/identity/oauth/domain/client-metadata.js';
import {
  AUTHORIZATION_PARAMETERS,
  clientIdIn,
  isSameResource,
  parametersIn,
  TOKEN_PARAMETERS,
} from '../../../../src/modules/identity/oauth/domain/oauth-parameters.js';
import { scopesIn } from '../../../../src/modules/identity/oauth/domain/oauth-scopes.js';
import { isMultipart, openFormFile } from '../../../../src/platform/http/body/form-file.js';
import { jsonIn } from '../../../../src/platform/http/body/json-body.js';
import { jsonErrorIn, JsonScanner } from '../../../../src/platform/json/json-scanner.js';
import { mediaTypeOf } from '../../../../src/platform/http/body/media-type.js';
import { drained, inPieces } from './readers.kernel.js';
import { ofLength, type TextReader } from './growth.js';

const TOOLS = new McpTools({ files: false, hasTeam: true }, '1.0.0');
const REDIRECT = 'https://assistant.example/callback';
const RESOURCE = 'https://rcpt.example/mcp';
/** Kept by their number: an object with many members costs more than reading it. */
const withMembers = new Map<number, object>();
function membersOf(count: number): object {
  const kept = withMembers.get(count);
  if (kept !== undefined) return kept;
  const members = Array.from({ length: count }, (_, at) => [`m${at}`, at]);
  const said = { redirect_uris: [REDIRECT], ...(Object.fromEntries(members) as object) };
  withMembers.set(count, said);
  return said;
}
const BACKEND = new Proxy({}, { get: () => async () => ({}) }) as unknown as ToolBackend;
const called = (args: unknown) =>
  TOOLS.respondTo(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'verify_email', arguments: args } },
    {},
    BACKEND,
  );

/** By file and exported name, each with what it reads of a text. */
export const REQUEST_READERS: Readonly<Record<string, Readonly<Record<string, TextReader | TextReader[]>>>> =
  {
    'modules/identity/oauth/domain/oauth-scopes': { scopesIn },
    'modules/identity/oauth/domain/oauth-parameters': {
      parametersIn: [
        (text) => parametersIn(text, TOKEN_PARAMETERS, RESOURCE),
        (text) =>
          parametersIn(new URLSearchParams({ state: text }).toString(), AUTHORIZATION_PARAMETERS, RESOURCE),
        (text) => parametersIn(`resource=${RESOURCE}/${text}`, TOKEN_PARAMETERS, RESOURCE),
        ofLength((length) => parametersIn('x=1&'.repeat(length / 4), TOKEN_PARAMETERS, RESOURCE)),
        ofLength((length) =>
          parametersIn(`resource=${RESOURCE}&`.repeat(length / 32), TOKEN_PARAMETERS, RESOURCE),
        ),
      ],
      isSameResource: [
        (text) => isSameResource(text, RESOURCE),
        (text) => isSameResource(`${RESOURCE}${text}`, RESOURCE),
        ofLength((length) => isSameResource(`${RESOURCE}${'/'.repeat(length)}`, RESOURCE)),
        ofLength((length) =>
          isSameResource(`https://rcpt.example/${'a/../'.repeat(length / 5)}mcp`, RESOURCE),
        ),
      ],
      clientIdIn: [
        clientIdIn,
        (text) => clientIdIn(`Basic ${text}`),
        (text) => clientIdIn(`Basic ${Buffer.from(text).toString('base64')}`),
        ofLength((length) => clientIdIn(`Basic ${'A'.repeat(length)} !`)),
        ofLength((length) => clientIdIn(`Basic ${' '.repeat(length)}!`)),
      ],
    },
    'modules/identity/oauth/domain/client-metadata': {
      usableMetadata: [
        (text) => usableMetadata({ redirect_uris: [text] }),
        (text) =>
          usableMetadata({ redirect_uris: [`${REDIRECT}/${text}`], client_name: text, client_uri: text }),
        (text) => usableMetadata({ redirect_uris: text.split(','), grant_types: text.split(',') }),
        (text) => usableMetadata({ redirect_uris: [REDIRECT], grant_types: text.split(',') }),
        (text) => usableMetadata({ redirect_uris: [REDIRECT], response_types: text.split(',') }),
        ofLength((length) => usableMetadata({ redirect_uris: Array(length / 8).fill(REDIRECT) })),
        ofLength((length) => usableMetadata(membersOf(length / 8))),
      ],
      documentMetadata: [
        (text) => documentMetadata({ client_id: text, redirect_uris: [REDIRECT], client_name: text }, text),
        (text) =>
          documentMetadata(
            {
              client_id: 'a',
              token_endpoint_auth_method: text,
              token_endpoint_auth_methods_supported: text.split(','),
            },
            'a',
          ),
      ],
    },
    'modules/protocols/mcp/mcp.tools': {
      McpTools: [
        (text) => called({ email: text }),
        (text) => called({ emails: text.split(',') }),
        (text) => called({ [text]: text, refresh: text }),
        (text) => called(Object.fromEntries(text.split(',').map((name, at) => [name + at, at]))),
        (text) => called(text),
      ],
    },
    'platform/http/body/json-body': {
      jsonIn: [
        (text) => jsonIn(Buffer.from(text)),
        (text) => jsonIn(Buffer.from(JSON.stringify({ a: text }))),
        ofLength((length) => jsonIn(Buffer.from(`{${'"a":1,'.repeat(length / 6)}"b":2}`))),
        ofLength((length) => jsonIn(Buffer.from('['.repeat(length)))),
        ofLength((length) => jsonIn(Buffer.from('['.repeat(length / 2) + ']'.repeat(length / 2)))),
        ofLength((length) => jsonIn(Buffer.from('1'.repeat(length)))),
        ofLength((length) => jsonIn(Buffer.from(`["${'\\u0041'.repeat(length / 6)}"]`))),
      ],
    },
    'platform/json/json-scanner': {
      jsonErrorIn: [
        jsonErrorIn,
        (text) => jsonErrorIn(`["${text}`),
        (text) => jsonErrorIn(`${'{"a":['.repeat(text.length / 12)}${text}`),
      ],
      JsonScanner: [
        (text) => scanned(text, 65_536),
        (text) => scanned(text, 4_096),
        ofLength((length) => scanned(`[${'"a",'.repeat(length / 16)}`, 61)),
      ],
    },
    'platform/http/body/media-type': {
      mediaTypeOf: [
        mediaTypeOf,
        (text) => mediaTypeOf(`text/csv;charset=${text}`),
        (text) => mediaTypeOf(`text/csv;${text}`),
      ],
    },
    'platform/http/body/form-file': {
      isMultipart: [isMultipart, (text) => isMultipart(`multipart/form-data${text}`)],
      openFormFile: async (text) => {
        const body = `--a\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n${text}\r\n--a--\r\n`;
        await drained((await openFormFile('multipart/form-data; boundary=a', inPieces(body))).bytes);
      },
    },
  };

function scanned(text: string, size: number): void {
  const parser = new TokenParser({ keepStack: false });
  parser.onValue = () => undefined;
  const scanner = new JsonScanner(parser);
  for (let at = 0; at < text.length; at += size) if (scanner.push(text.slice(at, at + size)) !== null) return;
  scanner.end();
}
