import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../../api/client';
import { jobQuery, usageQuery } from '../../../api/queries';
import { heldEn } from '../../../texts/lists/held.en';
import { useFormats, useTexts } from '../../../texts/texts';
import { ErrorNote } from '../../../ui/query-result';
import { Button, Card, styles, Table } from '../../../ui/ui';
import { deleteJob } from '../delete-job';
import css from '../lists.module.css';

const COUNTS = [
  'rows',
  'unique',
  'duplicates',
  'stored',
  'invalid_syntax',
  'disposable',
  'role',
  'privacy_relay',
  'dead_domains',
] as const;

/** What a held list contains, with the choice to start it. */
export function HeldList({ job }: { job: BulkJob }) {
  const t = useTexts(heldEn);
  const { time } = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setError(null);
    await work().catch((caught: unknown) => setError(caught as Error));
    setIsBusy(false);
  };
  const start = async () => {
    const params = { path: { id: job.id } };
    const started = await data(api.POST('/v1/bulk-jobs/{id}/start', { params }));
    client.setQueryData(jobQuery(job.id).queryKey, started);
    void client.invalidateQueries({ queryKey: usageQuery.queryKey });
  };
  const discard = async () => {
    await deleteJob(job.id, client);
    await navigate({ to: '/lists' });
    client.removeQueries({ queryKey: jobQuery(job.id).queryKey });
  };
  return (
    <Card title={t.held.title}>
      <div className={styles.stack}>
        {job.preview === null ? <p role="status">{t.held.waiting}</p> : <Preview preview={job.preview} />}
        <ErrorNote error={error} />
        <div className={styles.row}>
          <Button variant="primary" disabled={isBusy || job.preview === null} onClick={() => void run(start)}>
            {isBusy ? t.common.working : t.held.start}
          </Button>
          <Button disabled={isBusy} onClick={() => void run(discard)}>
            {t.held.discard}
          </Button>
        </div>
        {job.expires_at !== null && <p className={styles.muted}>{t.held.expires(time(job.expires_at))}</p>}
      </div>
    </Card>
  );
}

function Preview({ preview }: { preview: NonNullable<BulkJob['preview']> }) {
  const t = useTexts(heldEn);
  const { number } = useFormats();
  const { eta_seconds: eta, providers, warnings } = preview;
  return (
    <>
      <Table label={t.held.title} head={[]}>
        {COUNTS.map((name) => (
          <tr key={name}>
            <th scope="row">{t.held[name]}</th>
            <td>{number(preview[name])}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t.held.max_charge}</th>
          <td>
            <strong>{t.held.units(number(preview.max_charge))}</strong>
          </td>
        </tr>
        <tr>
          <th scope="row">{t.held.duration}</th>
          <td>{t.held.between(t.verify.age(eta.low), t.verify.age(eta.high))}</td>
        </tr>
        {providers.length > 0 && (
          <tr>
            <th scope="row">{t.held.providers}</th>
            <td>{providers.map(({ name, addresses }) => `${name} (${number(addresses)})`).join(', ')}</td>
          </tr>
        )}
      </Table>
      {warnings.length > 0 && (
        <div role="alert">
          <h3>{t.held.warnings}</h3>
          <ul className={css.notes}>
            {warnings.map(({ code, line, message }) => (
              <li key={code}>
                {line !== undefined && t.held.line(line)} {t.held.warning[code] ?? message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
