import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DEFAULT_PAGE,
  type DomainArguments,
  type ListArguments,
  type ListCost,
  type ReplyArguments,
  type ResultsArguments,
  type ToolBackend,
  type ToolProblem,
  type VerifyArguments,
} from '../../modules/protocols/mcp/mcp.tools.js';
import { queryOf, type ServiceClient } from '../service-client.js';
import { linesIn, outputFormat, requireList, sentenceOf, writeNewFile } from './tool-files.js';

const JSON_TYPE = 'application/json';
/** More than the results of the longest list that a tier allows. */
const MAX_FILE_BYTES = 20_000_000_000;
const FORMATS = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

class Refusal extends Error {
  constructor(readonly problem: ToolProblem) {
    super(problem.detail);
  }
}

export class ServiceTools implements ToolBackend {
  readonly options = { files: true, hasTeam: true };

  constructor(private readonly service: ServiceClient) {}

  verify(request: VerifyArguments): Promise<object> {
    return this.post('/v1/verify', request);
  }

  /** A file has at most as many rows as lines. */
  async costOf({ file, emails = [] }: ListArguments): Promise<ListCost> {
    if (file !== undefined) await requireList(file);
    const addresses = file === undefined ? emails.length : await linesIn(file);
    return { addresses, units: this.service.isTest ? 0 : addresses };
  }

  async submit({ file, ...list }: ListArguments): Promise<object> {
    if (file === undefined) return this.post('/v1/verify/bulk', list);
    await requireList(file);
    const body = Readable.toWeb(createReadStream(file));
    const headers = { 'content-type': FORMATS.csv, 'content-length': String((await stat(file)).size) };
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    const { name, refresh = false, max_age } = list;
    return this.json(`/v1/verify/bulk?${queryOf({ name, refresh, max_age })}`, init);
  }

  list(id: string): Promise<object> {
    return this.json(`/v1/bulk-jobs/${id}`);
  }

  async results({ id, output, limit = DEFAULT_PAGE, cursor, ...filter }: ResultsArguments): Promise<object> {
    const path = `/v1/bulk-jobs/${id}/results`;
    if (output === undefined) return this.json(`${path}?${queryOf({ limit, cursor, ...filter })}`);
    const accept = FORMATS[outputFormat(output)];
    const response = await this.request(`${path}?${queryOf(filter)}`, { headers: { accept } });
    return { file: await writeNewFile(output, this.service.bytesOf(response, MAX_FILE_BYTES)) };
  }

  domain({ domain }: DomainArguments): Promise<object> {
    return this.json(`/v1/domains/${encodeURIComponent(domain)}`);
  }

  explain(reply: ReplyArguments): Promise<object> {
    return this.post('/v1/replies/explain', reply);
  }

  usage(): Promise<object> {
    return this.json('/v1/usage');
  }

  problemOf(error: unknown): ToolProblem {
    return error instanceof Refusal ? error.problem : { code: 'unavailable', detail: sentenceOf(error) };
  }

  private post(path: string, body: object): Promise<object> {
    const headers = { 'content-type': JSON_TYPE };
    return this.json(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async json(path: string, init?: RequestInit & { duplex?: 'half' }): Promise<object> {
    return this.service.answer(await this.request(path, init));
  }

  /** @throws Refusal */
  private async request(path: string, init?: RequestInit): Promise<Response> {
    const response = await this.service.request(path, init);
    if (response.ok) return response;
    const retryAfter = response.headers.get('retry-after');
    const problem = await this.service.problemOf(response);
    if (problem === null) throw this.service.notRcpt(response.status);
    throw new Refusal({ ...problem, ...(retryAfter && { retry_after: Number(retryAfter) }) });
  }
}
