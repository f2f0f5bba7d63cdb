import { DELIMITER_NAMES } from '../../kernel/list-files/csv/csv-reading.js';
import type { BulkJobResponse } from '../../modules/lists/bulk/jobs/bulk-job.dto.js';
import { inCommandTerms } from '../terminal.js';
import type { ListRun } from './list-run.js';
import type { ProgressReport } from './progress-report.js';

/** Says how a list was read, so that a wrong guess is seen before its verdicts. */
function formatSentence({ delimiter, header, column, encoding, warning }: Format): string {
  const between = DELIMITER_NAMES[delimiter] ?? JSON.stringify(delimiter);
  const names = header === null ? 'no line names the columns' : `line ${header} names the columns`;
  const sentence = `read with ${between} between cells; ${names}; addresses are in ${JSON.stringify(column)}; ${encoding}`;
  return typeof warning === 'string' ? `${sentence}. ${inCommandTerms(warning)}` : sentence;
}

/** @param format what a service answers: an earlier version does not say it, and another server may say anything. */
export function sayFormat(format: unknown, { json }: ListRun, report: ProgressReport): void {
  if (!json && isFormat(format)) report.say(formatSentence(format));
}

type Format = NonNullable<BulkJobResponse['format']>;

function isFormat(format: unknown): format is Format {
  const { delimiter, header, column, encoding } = (format ?? {}) as Record<string, unknown>;
  const texts = [delimiter, column, encoding];
  return texts.every((text) => typeof text === 'string') && (header === null || typeof header === 'number');
}
