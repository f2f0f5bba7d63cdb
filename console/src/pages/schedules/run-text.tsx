import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useFormats, useTexts } from '../../texts/texts';
import { Untrusted } from '../../ui/untrusted';
import { Badge, styles, type Tone } from '../../ui/ui';
import { RunConfirmation } from './run-confirmation';
import { isUnderWay, type Run, type Schedule } from './schedules';
import css from './schedules.module.css';

const TONES: Record<Run['status'], Tone> = {
  queued: 'accent',
  verifying: 'accent',
  writing: 'accent',
  needs_confirmation: 'risky',
  completed: 'deliverable',
  discarded: 'unknown',
  failed: 'undeliverable',
};
const STATUSES = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const;

export function RunState({ status }: Pick<Run, 'status'>) {
  const t = useTexts(schedulesEn);
  return <Badge tone={TONES[status]}>{t.schedules.states[status]}</Badge>;
}

/** Why a run has failed, and what to do. */
export function Failure({ failure }: { failure: NonNullable<Schedule['disabled_reason']> }) {
  const t = useTexts(schedulesEn);
  const own = t.schedules.failures[failure.code];
  const text = own?.replace('{detail}', failure.detail ?? '') ?? failure.message;
  return (
    <span lang={own === undefined ? 'en' : undefined}>
      <Untrusted text={text} />
    </span>
  );
}

/** What a run has found, compared with the runs before. @param isExplained its failure is shown already. */
export function RunText({ run, isExplained = false }: { run: Run; isExplained?: boolean }) {
  const t = useTexts(schedulesEn);
  const { number } = useFormats();
  const {
    rows,
    unchanged,
    verified,
    new: added,
    changed,
    failure,
    written,
    not_written: notWritten,
    postponed,
  } = run;
  const old = verified - added;
  const parts = [
    added > 0 && t.schedules.added(number(added)),
    old > 0 && t.schedules.old(number(old)),
  ].filter((part) => part !== false);
  const changes = STATUSES.filter((status) => (changed[status] ?? 0) > 0);
  return (
    <>
      {failure !== null && !isExplained && (
        <p>
          <Failure failure={failure} />
        </p>
      )}
      {isUnderWay(run) && <p>{t.schedules.underWay[run.status]}</p>}
      {rows > 0 && (run.status === 'completed' || verified > 0) && (
        <p>
          {t.schedules.counts(
            t.schedules.rows(number(rows)),
            number(unchanged),
            t.schedules.verified(number(verified), parts.join(', ')),
          )}
        </p>
      )}
      {changes.length > 0 && (
        <p>
          {t.schedules.changes(
            changes
              .map((status) => t.schedules.change(number(changed[status] ?? 0), t.status[status]))
              .join(', '),
          )}
        </p>
      )}
      {written > 0 && <p>{t.schedules.written(number(written))}</p>}
      {postponed > 0 && <p>{t.schedules.postponed(number(postponed))}</p>}
      {notWritten > 0 && <p>{t.schedules.notWritten(number(notWritten))}</p>}
      {run.status === 'discarded' && <p>{t.schedules.wasDiscarded}</p>}
      <RunConfirmation run={run} />
      {run.status === 'completed' && old > 0 && changes.length === 0 && <p>{t.schedules.noChanges}</p>}
    </>
  );
}

/** Leads to the list of a run; a run without a list has verified nothing. */
export function RunLink({ run: { job_id: id }, children }: { run: Run; children: ReactNode }) {
  if (id === null) return children;
  return (
    <Link to="/lists/$id" params={{ id }}>
      {children}
    </Link>
  );
}

/** The newest run of a schedule. */
export function LastRun({ schedule: { last_run: run, disabled_reason: reason } }: { schedule: Schedule }) {
  const t = useTexts(schedulesEn);
  const { time } = useFormats();
  if (run === null) return <p className={styles.muted}>{t.schedules.neverRun}</p>;
  return (
    <div role="status" className={css.run}>
      <p className={styles.row}>
        <span>
          {t.schedules.lastRun}: <RunLink run={run}>{time(run.created_at)}</RunLink>
        </span>
        <RunState status={run.status} />
      </p>
      <RunText run={run} isExplained={reason !== null && reason.code === run.failure?.code} />
    </div>
  );
}
