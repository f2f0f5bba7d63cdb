import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type JsonSchemaType,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { IncomingHttpHeaders } from 'node:http';
import type {
  DomainArguments,
  ListArguments,
  ListCost,
  ReplyArguments,
  ResultsArguments,
  ToolBackend,
  ToolProblem,
  VerifyArguments,
} from './domain/tool-backend.js';
import { INSTRUCTIONS, MAX_UNCONFIRMED, toolsOf, type ToolName, type ToolOptions } from './domain/tools.js';

export type * from './domain/tool-backend.js';
export { DEFAULT_PAGE } from './domain/tools.js';

/** Headers that the protocol defines. */
const OWN_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** Every response is JSON, whatever the client accepts: there is nothing to stream. */
const ACCEPT = 'application/json, text/event-stream';

/** The validator does not name them. */
const UNKNOWN = 'data must NOT have additional properties';
/** Unknown arguments in an error. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 50;

type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;

const CALLS: Readonly<Record<ToolName, (backend: ToolBackend, request: never) => Promise<object>>> = {
  verify_email: (backend, request: VerifyArguments) => backend.verify(request),
  verify_list: (backend, request: ListArguments) => submitAgreed(backend, request),
  get_list: (backend, { id }: { id: string }) => backend.list(id),
  get_list_results: async (backend, request: ResultsArguments) =>
    withoutEvidence(await backend.results(request)),
  check_domain: (backend, request: DomainArguments) => backend.domain(request),
  explain_reply: (backend, request: ReplyArguments) => backend.explain(request),
  get_usage: (backend) => backend.usage(),
};

/** Of these, exactly one must be sent. A schema cannot say so, because models take none with `oneOf`. */
const ALTERNATIVES: Readonly<Partial<Record<ToolName, readonly string[]>>> = {
  verify_email: ['email', 'emails'],
  verify_list: ['emails', 'file'],
};

/** The tools of Rcpt as a server of the Model Context Protocol; `docs/mcp.md` describes them. */
export class McpTools {
  private readonly tools;
  private readonly validators: ReadonlyMap<string, Validate>;

  constructor(
    options: ToolOptions,
    private readonly version: string,
  ) {
    this.tools = toolsOf(options);
    const ajv = new AjvJsonSchemaValidator();
    this.validators = new Map(
      this.tools.map(({ name, inputSchema }) => [name, ajv.getValidator(inputSchema as JsonSchemaType)]),
    );
  }

  /** One for each connection; over HTTP, for each request. */
  serverFor(backend: ToolBackend): Server {
    const info = { name: 'rcpt', title: 'Rcpt', version: this.version };
    const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    server.setRequestHandler('tools/list', () => ({ tools: this.tools as never }));
    server.setRequestHandler('tools/call', ({ params }) =>
      this.call(backend, params.name, params.arguments ?? {}),
    );
    return server;
  }

  /** Streamable HTTP without sessions: a server for each message. Revision 2026-07-28, and those before it. */
  async respondTo(
    message: object,
    headers: IncomingHttpHeaders,
    backend: ToolBackend,
  ): Promise<{ status: number; body: object | undefined }> {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT, ...ownHeadersIn(headers) },
    });
    const isLegacy = await isLegacyRequest(request, message);
    const response = await (isLegacy
      ? this.legacyResponse(request, message, backend)
      : this.currentResponse(request, message, backend));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as object) };
  }

  private async legacyResponse(request: Request, message: object, backend: ToolBackend): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = this.serverFor(backend);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  /** Nothing changes that a client could subscribe to, and a subscription would hold the connection. */
  private async currentResponse(request: Request, message: object, backend: ToolBackend): Promise<Response> {
    const handler = createMcpHandler(() => this.serverFor(backend), {
      legacy: 'reject',
      maxSubscriptions: 0,
    });
    try {
      return await handler.fetch(request, { parsedBody: message });
    } finally {
      await handler.close();
    }
  }

  private async call(backend: ToolBackend, name: string, sent: object): Promise<CallToolResult> {
    const validate = this.validators.get(name);
    if (validate === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No tool has this name; see tools/list');
    const tool = name as ToolName;
    const invalid = validate(sent).errorMessage?.replace(UNKNOWN, () => this.unknownIn(tool, sent));
    const complaint = invalid ?? alternativesIn(tool, sent);
    if (complaint !== null) return failed({ code: 'invalid_request', detail: sentence(complaint) });
    try {
      const result = await CALLS[tool](backend, sent as never);
      return { structuredContent: { ...result }, content: [textOf(result)] };
    } catch (error) {
      return failed(error instanceof NotAgreed ? error.problem : backend.problemOf(error));
    }
  }

  private unknownIn(tool: ToolName, sent: object): string {
    const known = Object.keys(this.tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {});
    const unknown = Object.keys(sent).filter((name) => !known.includes(name));
    const names = unknown.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, MAX_NAME_LENGTH)));
    const instead = known.length === 0 ? 'it takes none' : `send only ${known.join(', ')}`;
    return `${tool} has no argument ${names.join(', ')}; ${instead}`;
  }
}

/** @throws NotAgreed if the user has to agree to the cost first. */
async function submitAgreed(
  backend: ToolBackend,
  { confirm = false, ...list }: ListArguments,
): Promise<object> {
  if (!confirm) {
    const cost = await backend.costOf(list);
    if (cost.addresses > MAX_UNCONFIRMED) throw new NotAgreed(cost);
  }
  return backend.submit(list);
}

class NotAgreed extends Error {
  constructor(private readonly cost: ListCost) {
    super();
  }

  get problem(): ToolProblem {
    const { addresses, units } = this.cost;
    const detail = `The list has up to ${addresses} addresses, and costs up to ${units} units of the quota. Tell the user, and send confirm: true if they agree.`;
    return { code: 'confirmation_required', detail, max_cost: units };
  }
}

function alternativesIn(tool: ToolName, sent: object): string | null {
  const names = ALTERNATIVES[tool] ?? [];
  const count = names.filter((name) => Object.hasOwn(sent, name)).length;
  return names.length === 0 || count === 1 ? null : `data must have either ${names.join(' or ')}`;
}

/** The validator calls the arguments `data`. */
function sentence(complaint: string): string {
  return `${complaint.replaceAll(/\bdata(?=[/ ])/g, 'arguments')}.`;
}

function failed(problem: ToolProblem): CallToolResult {
  return { isError: true, content: [textOf(problem)] };
}

/** For clients that do not read structured content. */
function textOf(result: object) {
  return { type: 'text' as const, text: JSON.stringify(result) };
}

/** Rows of a page with the verdict, without its evidence: a model pays for every character. */
function withoutEvidence(page: object): object {
  const { data, ...rest } = page as { data?: Record<string, unknown>[] };
  if (data === undefined) return rest;
  const members = ['index', 'ref', 'email', 'status', 'reason', 'score', 'did_you_mean', 'policy'];
  const compact = (row: Record<string, unknown>) =>
    Object.fromEntries(members.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
  return { data: data.map(compact), ...rest };
}

function ownHeadersIn(headers: IncomingHttpHeaders): Record<string, string> {
  const sent = OWN_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(sent.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
