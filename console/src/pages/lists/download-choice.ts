import type { BulkJob, Status } from '../../api/client';
import { STATUSES, type FileKind } from './download';

/** `columns` of the API; undefined: all. */
export const COLUMNS = { all: undefined, short: 'input,status,reason', own: 'input', pair: 'email,status' };
export type ColumnSet = keyof typeof COLUMNS;

/** What a person chooses for a download. */
export interface DownloadChoice {
  statuses: readonly Status[];
  columns: ColumnSet;
  isDistinct: boolean;
  kind: FileKind;
}

type Preset = Pick<DownloadChoice, 'statuses' | 'columns' | 'isDistinct'>;

export const PRESETS: Readonly<Record<'clean' | 'all' | 'deliverable' | 'noRisk', Preset>> = {
  clean: { statuses: ['deliverable'], columns: 'own', isDistinct: true },
  all: { statuses: STATUSES, columns: 'all', isDistinct: false },
  deliverable: { statuses: ['deliverable'], columns: 'all', isDistinct: false },
  noRisk: { statuses: ['deliverable', 'risky', 'unknown'], columns: 'all', isDistinct: false },
};
export type PresetName = keyof typeof PRESETS;

/** The columns may be others, except those of a list that is imported again. */
export function isPreset({ statuses, columns, isDistinct }: DownloadChoice, name: PresetName): boolean {
  const preset = PRESETS[name];
  const hasRows =
    preset.statuses.length === statuses.length && preset.statuses.every((each) => statuses.includes(each));
  return hasRows && isDistinct === preset.isDistinct && (columns === 'own') === (preset.columns === 'own');
}

/** The rows of these statuses; with all of them also those without a verdict. */
export function rowsOf(job: BulkJob, statuses: readonly Status[]): number {
  if (statuses.length === STATUSES.length) return job.total;
  return statuses.reduce((sum, status) => sum + (job.by_status[status] ?? 0), 0);
}

const STORED = 'rcpt.download';

/**
 * The last choice in this browser; the kind of file is remembered apart for lists that were workbooks.
 *
 * @param first where there was none.
 */
export function lastChoice(isWorkbook: boolean, first: Preset = PRESETS.all): DownloadChoice {
  const kind = isWorkbook ? 'xlsx' : 'csv';
  try {
    const text = localStorage.getItem(STORED);
    if (text === null) return { ...first, kind };
    const { statuses, columns = 'all', isDistinct = false, kinds } = JSON.parse(text) as Partial<Stored>;
    const known = STATUSES.filter((status) => statuses?.includes(status) ?? true);
    return { statuses: known, columns, isDistinct, kind: kinds?.[kind] ?? kind };
  } catch {
    return { ...PRESETS.all, kind };
  }
}

export function rememberChoice({ kind, ...choice }: DownloadChoice, isWorkbook: boolean): void {
  const kinds: Stored['kinds'] = {
    csv: isWorkbook ? lastChoice(false).kind : kind,
    xlsx: isWorkbook ? kind : lastChoice(true).kind,
  };
  localStorage.setItem(STORED, JSON.stringify({ ...choice, kinds }));
}

interface Stored extends Omit<DownloadChoice, 'kind'> {
  /** By the kind of file that the list was. */
  kinds: Record<FileKind, FileKind>;
}
