import { useState } from 'react';
import { api } from '../../api/client';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { ErrorNote } from '../../ui/query-result';
import { Button, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { queriesOf, useMaySchedule, type Run } from './schedules';

/** What a run would do, and the two answers to it. */
export function RunConfirmation({ run }: { run: Run }) {
  const t = useTexts(schedulesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { number, percent, time } = useFormats();
  const { mayChange, mayRun } = useMaySchedule();
  const [isAsking, setIsAsking] = useState(false);
  const { id: runId, schedule_id: id, confirmation, status } = run;
  const params = { path: { id, run_id: runId } };
  const queries = queriesOf(id);
  const confirm = useApiMutation(
    () => api.POST('/v1/schedules/{id}/runs/{run_id}/confirm', { params }),
    queries,
  );
  const discard = useApiMutation(
    () => api.POST('/v1/schedules/{id}/runs/{run_id}/discard', { params }),
    queries,
  );
  if (confirmation === null || status !== 'needs_confirmation') return null;
  const { subscribers, share, reasons, confirm_by: until } = confirmation;
  const count = number(subscribers);
  return (
    <div className={styles.stack}>
      <p>{t.schedules.wouldBlocklist(count, percent(share, 1))}</p>
      <ul>
        {reasons.map(({ reason, count: each }) => (
          <li key={reason}>
            {shortReason[reason]}: {number(each)}
          </li>
        ))}
      </ul>
      <p>{t.schedules.endsAll}</p>
      {until !== null && <p className={styles.muted}>{t.schedules.answerBy(time(until))}</p>}
      {mayChange && (
        <div className={styles.row}>
          {mayRun && (
            <Button variant="primary" disabled={discard.isPending} onClick={() => setIsAsking(true)}>
              {t.schedules.writeThem}
            </Button>
          )}
          <Button disabled={discard.isPending} onClick={() => discard.mutate()}>
            {t.schedules.discard}
          </Button>
        </div>
      )}
      <ErrorNote error={discard.error} />
      {isAsking && (
        <ConfirmDialog
          title={t.schedules.writeTitle}
          question={t.schedules.writeAsk(count)}
          confirm={t.schedules.writeThem}
          onConfirm={() => confirm.mutateAsync()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
