import { useEffect, useRef, useState } from 'react';
import type { BulkJob, Status } from '../../api/client';
import { useMe } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Dialog } from '../../ui/dialog';
import { Button, Check, Field, styles } from '../../ui/ui';
import { STATUSES, downloadResults, type FileKind } from './download';
import {
  COLUMNS,
  PRESETS,
  isPreset,
  lastChoice,
  rememberChoice,
  rowsOf,
  type ColumnSet,
  type PresetName,
} from './download-choice';
import css from './lists.module.css';
import { useKeptFile } from './kept/use-kept-file';
import { workbookOf } from './workbook-lists';

export function DownloadDialog({
  job,
  preset,
  onClose,
}: {
  job: BulkJob;
  /** Chosen at first; absent: the last choice. */
  preset?: PresetName;
  onClose: () => void;
}) {
  const t = useTexts(listPagesEn);
  const mode = useMe()?.key.mode ?? 'live';
  const file = useKeptFile(job);
  const { number } = useFormats();
  const kinds = workbookOf(job.id);
  const isWorkbook = kinds !== null;
  const [choice, setChoice] = useState(() => ({
    // What most want, where there is any of it.
    ...lastChoice(isWorkbook, rowsOf(job, PRESETS.clean.statuses) > 0 ? PRESETS.clean : PRESETS.all),
    ...(preset !== undefined && PRESETS[preset]),
  }));
  const { statuses, columns, isDistinct, kind } = choice;
  const set = (part: Partial<typeof choice>) => setChoice((before) => ({ ...before, ...part }));
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const toggle = (status: Status) =>
    set({ statuses: STATUSES.filter((each) => (each === status) !== statuses.includes(each)) });
  const choosePreset = (name: PresetName) => {
    const { columns: preferred, ...rows } = PRESETS[name];
    const keeps = preferred === 'all' && columns !== 'own';
    set({ ...rows, columns: keeps ? columns : preferred });
  };
  const start = async () => {
    setError(null);
    setBytes(0);
    stop.current = new AbortController();
    try {
      // The pair of address and status has no other columns.
      const own = columns === 'pair' ? { file: null, kinds: null } : { file: file ?? null, kinds };
      const wanted = { statuses, columns: COLUMNS[columns], isDistinct, kind };
      await downloadResults(job, wanted, own, mode, setBytes, stop.current.signal);
      rememberChoice(choice, isWorkbook);
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
        {(Object.keys(PRESETS) as PresetName[]).map((name) => (
          <Button key={name} small aria-pressed={isPreset(choice, name)} onClick={() => choosePreset(name)}>
            {t.job.presets[name]}{' '}
            {t.job.presetRows(
              number(rowsOf(job, PRESETS[name].statuses)),
              PRESETS[name].isDistinct && job.duplicates > 0,
            )}
          </Button>
        ))}
      </div>
      <fieldset className={`${styles.choice} ${css.choices}`}>
        <legend className={styles.label}>{t.job.rows}</legend>
        {STATUSES.map((status) => (
          <Check
            key={status}
            checked={statuses.includes(status)}
            onChange={() => toggle(status)}
            label={`${t.status[status]} (${number(job.by_status[status] ?? 0)})`}
          />
        ))}
        <Check
          checked={isDistinct}
          onChange={({ target }) => set({ isDistinct: target.checked })}
          label={t.job.eachOnce}
        />
      </fieldset>
      <div className={styles.stack}>
        <Field label={t.job.columns}>
          {(props) => (
            <select
              {...props}
              value={columns}
              onChange={({ target }) => set({ columns: target.value as ColumnSet })}
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
            <select
              {...props}
              value={kind}
              onChange={({ target }) => set({ kind: target.value as FileKind })}
            >
              {Object.entries(t.job.fileKinds).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {file === null && <p className={styles.muted}>{t.kept.elsewhere}</p>}
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button variant="primary" disabled={statuses.length === 0 || bytes !== null} onClick={start}>
          {bytes === null ? t.job.download : t.job.downloading(`${number(Math.round(bytes / 1000))} kB`)}
        </Button>
      </div>
    </Dialog>
  );
}
