import { InvalidRequest } from '../../../kernel/errors.js';
import { MalformedList } from '../../../kernel/list-files/list-file.errors.js';
import type { ListOptions } from '../../../kernel/list-files/list-format.js';
import type { ReportEntry } from '../../../kernel/outcome-report.js';
import type { OpenedBody } from '../../../platform/http/body/streamed-body.js';
import { MalformedJson } from '../../../platform/http/problems/problems.js';
import { bodyReader } from '../../../platform/threads/body-reader.js';
import type { ReaderThreads, Reading } from '../../../platform/threads/reader-threads.js';
import { MalformedReport } from './domain/outcome-intake.errors.js';
import type { OutcomeFormat } from './outcomes.thread.js';

const OUTCOMES = bodyReader<typeof import('./outcomes.thread.js')>(
  import.meta.resolve('./outcomes.thread.js'),
  [InvalidRequest, MalformedJson, MalformedList, MalformedReport],
);
/** Of the formats that are read as a whole. */
const MAX_BYTES: Partial<Record<OutcomeFormat, number>> = { json: 2_000_000, message: 5_000_000 };

/**
 * Reads the entries of a body in a thread.
 *
 * @throws InvalidRequest, MalformedJson, MalformedList, MalformedReport, PayloadTooLarge, RequestTimeout, NotReady, and
 * what `ReaderThreads.read` throws.
 */
export async function* readOutcomes(
  { format, bytes, whole }: OpenedBody<OutcomeFormat>,
  { options, ...reading }: Reading<ListOptions>,
  threads: ReaderThreads,
): AsyncGenerator<readonly ReportEntry[], void> {
  const maxBytes = MAX_BYTES[format];
  const body = maxBytes === undefined ? bytes : piece(await whole(maxBytes));
  yield* threads.read(OUTCOMES, { ...reading, options: { format, options } }, body);
}

async function* piece(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield await Promise.resolve(bytes);
}
