import { api } from '../../api/client';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useFormats, useLanguage, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Badge, Button, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Failure } from './run-text';
import { queriesOf, sentenceOf, useHour, useMaySchedule, type Schedule } from './schedules';

/** Whether it runs, and whether it did the last time. */
export function ScheduleState({ schedule: { enabled, last_run: run } }: { schedule: Schedule }) {
  const t = useTexts(schedulesEn);
  const hasFailed = run?.status === 'failed';
  return (
    <>
      <Badge tone={!enabled ? 'risky' : hasFailed ? 'unknown' : 'deliverable'}>
        {enabled ? t.schedules.enabled : t.schedules.disabled}
      </Badge>
      {hasFailed && <Badge tone="undeliverable">{t.schedules.lastFailed}</Badge>}
    </>
  );
}

/** What a schedule reads, when it runs, and what it does with results. */
export function ScheduleText({ schedule }: { schedule: Schedule }) {
  const t = useTexts(schedulesEn);
  const language = useLanguage();
  const { time } = useFormats();
  const hour = useHour()(t, schedule.at);
  const { enabled, next_run_at: next, disabled_reason: reason, on_result: onResult } = schedule;
  return (
    <>
      <p className={styles.wrap}>
        <bdi>{sentenceOf(t, language, hour, schedule)}</bdi> {t.schedules.then[onResult.listmonk]}
      </p>
      {next !== null && <p>{t.schedules.next(time(next))}</p>}
      {!enabled && reason === null && <p>{t.schedules.isOff}</p>}
      {reason !== null && <WhyDisabled schedule={schedule} reason={reason} />}
    </>
  );
}

/** Three runs in a row have failed: why, and the way back. */
function WhyDisabled({
  schedule: { id, name },
  reason,
}: {
  schedule: Schedule;
  reason: NonNullable<Schedule['disabled_reason']>;
}) {
  const t = useTexts(schedulesEn);
  const { mayChange } = useMaySchedule();
  const enable = useApiMutation(() => setEnabled(id, true), queriesOf(id));
  return (
    <div className={styles.error}>
      <strong>{t.schedules.wasDisabled}</strong>
      <p>
        <Failure failure={reason} /> {t.schedules.enableAfter}
      </p>
      {mayChange && (
        <div>
          <Button
            small
            aria-label={`${t.schedules.enable}: ${name}`}
            disabled={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {t.schedules.enable}
          </Button>
        </div>
      )}
      <ErrorNote error={enable.error} />
    </div>
  );
}

export const setEnabled = (id: string, enabled: boolean) =>
  api.PATCH('/v1/schedules/{id}', { params: { path: { id } }, body: { enabled } });
