import { useEffect, useRef, useState } from 'react';
import type { BulkJob, Status } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Dialog } from '../../ui/dialog';
import { Button, Check, styles } from '../../ui/ui';
import { STATUSES, downloadResults } from './download';
import css from './lists.module.css';

const PRESETS = {
  all: STATUSES,
  deliverable: ['deliverable'],
  noRisk: ['deliverable', 'risky', 'unknown'],
} as const satisfies Record<string, readonly Status[]>;

export function DownloadDialog({ job, onClose }: { job: BulkJob; onClose: () => void }) {
  const t = useTexts();
  const { number } = useFormats();
  const [chosen, setChosen] = useState<readonly Status[]>(STATUSES);
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const isChosen = (preset: readonly Status[]) =>
    preset.length === chosen.length && preset.every((status) => chosen.includes(status));
  const toggle = (status: Status) =>
    setChosen(STATUSES.filter((each) => (each === status) !== chosen.includes(each)));
  const start = async () => {
    setError(null);
    setBytes(0);
    stop.current = new AbortController();
    try {
      await downloadResults(job, chosen, setBytes, stop.current.signal);
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
        {Object.entries(PRESETS).map(([name, preset]) => (
          <Button key={name} small aria-pressed={isChosen(preset)} onClick={() => setChosen(preset)}>
            {t.job.presets[name as keyof typeof PRESETS]}
          </Button>
        ))}
      </div>
      <fieldset className={`${styles.card} ${css.choices}`}>
        <legend className={styles.label}>{t.job.byStatus}</legend>
        {STATUSES.map((status) => (
          <Check
            key={status}
            checked={chosen.includes(status)}
            onChange={() => toggle(status)}
            label={`${t.status[status]} (${number(job.by_status[status] ?? 0)})`}
          />
        ))}
      </fieldset>
      {chosen.length > 1 && chosen.length < STATUSES.length && (
        <p className={styles.muted}>{t.job.grouped}</p>
      )}
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button variant="primary" disabled={chosen.length === 0 || bytes !== null} onClick={start}>
          {bytes === null ? t.job.download : t.job.downloading(`${number(Math.round(bytes / 1000))} kB`)}
        </Button>
      </div>
    </Dialog>
  );
}
