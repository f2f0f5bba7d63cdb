import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '../../../kernel/errors.js';
import { jsonErrorIn } from '../../../platform/http/body/json-error.js';
import { MalformedJson, PayloadTooLarge } from '../../../platform/http/problems/problems.js';
import { OutcomeReader } from '../domain/outcome-reader.js';
import { OUTCOME_MEMBERS } from '../domain/read-entry.js';

const MAX_JSON_BYTES = 2_000_000;
const MAX_MESSAGE_BYTES = 5_000_000;
const MAX_ENTRIES = 1_000;

@Injectable()
export class BufferedOutcomeReader extends OutcomeReader {
  async entries(bytes: AsyncIterable<Buffer>): Promise<readonly unknown[]> {
    const body = parse(await collected(bytes, MAX_JSON_BYTES));
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw invalid('', 'invalid_type', 'Send one outcome, or an object with outcomes.');
    const { outcomes, ...others } = body as Record<string, unknown>;
    const known = outcomes === undefined ? OUTCOME_MEMBERS : [];
    const unknown = Object.keys(others).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw invalid(`/${segment(unknown)}`, 'unknown_member', 'This member is not known.');
    if (outcomes === undefined) return [body];
    if (!Array.isArray(outcomes)) throw invalid('/outcomes', 'invalid_type', SEND_OUTCOMES);
    if (outcomes.length === 0) throw invalid('/outcomes', 'too_small', SEND_OUTCOMES);
    if (outcomes.length > MAX_ENTRIES) throw invalid('/outcomes', 'too_big', SEND_OUTCOMES);
    return outcomes as readonly unknown[];
  }

  message(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
    return collected(bytes, MAX_MESSAGE_BYTES);
  }
}

const SEND_OUTCOMES = 'Send 1 to 1,000 outcomes; more are a CSV or NDJSON.';

async function collected(bytes: AsyncIterable<Buffer>, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > max) throw new PayloadTooLarge(`The body may have at most ${max} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function parse(bytes: Buffer): unknown {
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonErrorIn(text);
    throw new MalformedJson(`The body is not JSON: see line ${line}, column ${column}.`);
  }
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJson('The body is not UTF-8.');
  }
}

/** RFC 6901; truncated, since it is the caller's own text. */
function segment(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}

function invalid(pointer: string, code: string, message: string): InvalidRequest {
  return new InvalidRequest([{ pointer, code, message }]);
}
