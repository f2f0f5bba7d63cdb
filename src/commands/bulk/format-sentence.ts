import { DELIMITER_NAMES } from '../../kernel/text/csv/csv-reading.js';
import type { BulkJobResponse } from '../../modules/bulk/bulk.dto.js';
import type { ListRun } from './list-run.js';
import type { ProgressReport } from './progress-report.js';

/** Says how a list was read, so that a wrong guess is seen before its verdicts. */
function formatSentence({ delimiter, header, column, encoding }: NonNullable<Format>): string {
  const between = DELIMITER_NAMES[delimiter] ?? JSON.stringify(delimiter);
  const names = header === null ? 'no line names the columns' : `line ${header} names the columns`;
  return `read with ${between} between cells; ${names}; addresses are in ${JSON.stringify(column)}; ${encoding}`;
}

/** @param format null: an earlier version of the service does not say it. */
export function sayFormat(format: Format, { json }: ListRun, report: ProgressReport): void {
  if (format !== null && !json) report.say(formatSentence(format));
}

type Format = BulkJobResponse['format'];
