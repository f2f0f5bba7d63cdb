import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../../api/client';
import { jobQuery, usageQuery, useIsLive, useMe } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../../texts/texts';
import { ErrorNote } from '../../../ui/query-result';
import { Button, Card, styles } from '../../../ui/ui';
import css from '../lists.module.css';
import { sentFile } from '../new-list/sent-file';
import { useDiscard } from './discarded';
import { PlanNeeded } from './plan-needed';
import { useRefusal } from './use-refusal';

/** In addresses; first what costs most. */
const FINDINGS = ['dead_addresses', 'disposable', 'role', 'privacy_relay', 'stored'] as const;

/** What a held list contains and costs, with the choice to start it. */
export function HeldList({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const { number, time } = useFormats();
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const detail = useRefusal(error, job);
  const mayStart = me === null || me.features.includes('bulk');
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setError(null);
    await work().catch((caught: unknown) => setError(caught as Error));
    setIsBusy(false);
    // Others may have used the quota.
    void client.invalidateQueries({ queryKey: usageQuery.queryKey });
  };
  const start = async () => {
    const params = { path: { id: job.id } };
    const started = await data(api.POST('/v1/bulk-jobs/{id}/start', { params }));
    client.setQueryData(jobQuery(job.id).queryKey, started);
    void client.invalidateQueries({ queryKey: ['jobs'] });
    // The button is gone: a screen reader goes on with the list.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const change = async () => {
    sentFile.giveBack();
    await navigate({ to: '/lists' });
  };
  const discard = useDiscard(job);
  const leave = async () => {
    discard();
    await navigate({ to: '/lists' });
  };
  return (
    <Card title={t.held.title}>
      <div className={styles.stack}>
        <p role="status" className={styles.muted}>
          {job.preview === null ? t.held.waiting : t.held.isRead}
        </p>
        {job.preview !== null && (
          <Preview preview={job.preview} isOfMailboxes={job.unique_by === 'canonical'} />
        )}
        {!mayStart && <PlanNeeded />}
        <ErrorNote error={error} detail={detail} />
        <div className={styles.row}>
          {mayStart && (
            <Button
              variant="primary"
              disabled={isBusy || job.preview === null}
              onClick={() => void run(start)}
            >
              {job.preview === null ? t.held.start : t.held.startFor(number(job.preview.max_charge))}
            </Button>
          )}
          {sentFile.of(job.id) !== null && (
            <Button disabled={isBusy} onClick={() => void change()}>
              {t.held.change}
            </Button>
          )}
          <Button disabled={isBusy} onClick={() => void leave()}>
            {t.held.discard}
          </Button>
        </div>
        {job.expires_at !== null && <p className={styles.muted}>{t.held.expires(time(job.expires_at))}</p>}
      </div>
    </Card>
  );
}

function Preview({
  preview,
  isOfMailboxes,
}: {
  preview: NonNullable<BulkJob['preview']>;
  /** Each mailbox is verified once. */
  isOfMailboxes: boolean;
}) {
  const t = useTexts(listPagesEn);
  const { number } = useFormats();
  const { eta_seconds: eta, providers, warnings } = preview;
  const isTest = !useIsLive();
  // The sum of these is the number of rows.
  const counts = {
    [isOfMailboxes ? 'mailboxes' : 'unique']: preview.unique - preview.invalid_syntax,
    duplicates: preview.duplicates,
    invalid_syntax: preview.invalid_syntax,
    empty: preview.rows - preview.unique - preview.duplicates,
  } as Partial<Record<keyof typeof t.held.parts, number>>;
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => t.held.parts[name as keyof typeof t.held.parts](number(count), count));
  const none = FINDINGS.filter((name) => preview[name] === 0).map((name) => t.held[name]);
  return (
    <>
      <p>
        <strong>{t.held.rowCount(number(preview.rows))}</strong> = {parts.join(' + ')}
      </p>
      <dl className={css.columns}>
        {FINDINGS.filter((name) => preview[name] > 0).map((name) => (
          <div key={name}>
            <dt>{t.held[name]}</dt>
            <dd>{number(preview[name])}</dd>
          </div>
        ))}
        {providers.length > 0 && (
          <div className={css.names}>
            <dt>{t.held.providers}</dt>
            <dd>{providers.map(({ name, addresses }) => `${name} (${number(addresses)})`).join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>{t.held.max_charge}</dt>
          <dd>
            <strong>{t.held.units(number(preview.max_charge))}</strong>
            {isTest && ` (${t.held.testKey})`}
          </dd>
        </div>
        <div>
          <dt>{t.held.duration}</dt>
          <dd>{t.held.between(t.verify.age(eta.low), t.verify.age(eta.high))}</dd>
        </div>
      </dl>
      {none.length > 0 && <p className={styles.muted}>{t.held.none(none.join(', '))}</p>}
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
