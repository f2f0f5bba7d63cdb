import { useEffect, useRef, useState } from 'react';
import type { BulkJob, Status } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { keptEn } from '../../texts/kept.en';
import { Dialog } from '../../ui/dialog';
import { Button, Check, Field, styles } from '../../ui/ui';
import { STATUSES, canBeParts, downloadResults, type FileKind } from './download';
import css from './lists.module.css';
import { useKeptFile } from './kept/use-kept-file';

const PRESETS = {
  all: STATUSES,
  deliverable: ['deliverable'],
  noRisk: ['deliverable', 'risky', 'unknown'],
} as const satisfies Record<string, readonly Status[]>;

/** `columns` of the API; undefined: all. */
const COLUMNS = { all: undefined, short: 'input,status,reason', own: 'input', pair: 'email,status' };
type ColumnSet = keyof typeof COLUMNS;

export function DownloadDialog({ job, onClose }: { job: BulkJob; onClose: () => void }) {
  const t = useTexts(keptEn);
  const file = useKeptFile(job);
  const { number } = useFormats();
  const [chosen, setChosen] = useState<readonly Status[]>(STATUSES);
  const [columns, setColumns] = useState<ColumnSet>('all');
  const [kind, setKind] = useState<FileKind>('csv');
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const isChosen = (preset: readonly Status[]) =>
    preset.length === chosen.length && preset.every((status) => chosen.includes(status));
  // The pair of address and status has no other columns.
  const joined = columns === 'pair' ? null : (file ?? null);
  const isPart = chosen.length > 1 && chosen.length < STATUSES.length;
  const mayBePart = canBeParts(kind, joined !== null);
  const toggle = (status: Status) =>
    setChosen(STATUSES.filter((each) => (each === status) !== chosen.includes(each)));
  const start = async () => {
    setError(null);
    setBytes(0);
    stop.current = new AbortController();
    try {
      const choice = { statuses: chosen, columns: COLUMNS[columns], kind };
      await downloadResults(job, choice, joined, setBytes, stop.current.signal);
      onClose();
    } catch (caught) {
      if ((caught as Error).name !== 'AbortError') setError(caught as Error);
      setBytes(null);
    }
  };
  return (
    <Dialog title={t.job.downloadTitle} onClose={onClose}>
      <p className={styles.muted}>{t.job.downloadIntro}</p>
      <div className={styles.row}>
        <Button
          small
          aria-pressed={isChosen(PRESETS.deliverable) && columns === 'own'}
          onClick={() => {
            setChosen(PRESETS.deliverable);
            setColumns('own');
          }}
        >
          {t.job.presets.clean}
        </Button>
        {Object.entries(PRESETS).map(([name, preset]) => (
          <Button
            key={name}
            small
            aria-pressed={isChosen(preset) && columns !== 'own'}
            onClick={() => {
              setChosen(preset);
              if (columns === 'own') setColumns('all');
            }}
          >
            {t.job.presets[name as keyof typeof PRESETS]}
          </Button>
        ))}
      </div>
      <fieldset className={`${styles.choice} ${css.choices}`}>
        <legend className={styles.label}>{t.job.rows}</legend>
        {STATUSES.map((status) => (
          <Check
            key={status}
            checked={chosen.includes(status)}
            onChange={() => toggle(status)}
            label={`${t.status[status]} (${number(job.by_status[status] ?? 0)})`}
          />
        ))}
      </fieldset>
      <div className={styles.stack}>
        <Field label={t.job.columns}>
          {(props) => (
            <select
              {...props}
              value={columns}
              onChange={({ target }) => setColumns(target.value as ColumnSet)}
            >
              {Object.entries(t.job.columnSets).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.job.fileKind}>
          {(props) => (
            <select {...props} value={kind} onChange={({ target }) => setKind(target.value as FileKind)}>
              {Object.entries(t.job.fileKinds).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {isPart && <p className={styles.muted}>{mayBePart ? t.job.grouped : t.job.noSpace}</p>}
      {file === null && <p className={styles.muted}>{t.kept.elsewhere}</p>}
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button
          variant="primary"
          disabled={chosen.length === 0 || bytes !== null || (isPart && !mayBePart)}
          onClick={start}
        >
          {bytes === null ? t.job.download : t.job.downloading(`${number(Math.round(bytes / 1000))} kB`)}
        </Button>
      </div>
    </Dialog>
  );
}
