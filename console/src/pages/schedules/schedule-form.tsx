import { useState, type FormEvent } from 'react';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useLanguage, useTexts } from '../../texts/texts';
import { Form } from '../../ui/form';
import { ErrorNote } from '../../ui/query-result';
import { Button, Check, Field, styles } from '../../ui/ui';
import { readForm, type Faults, type Kind, type ScheduleFields } from './schedule-fields';
import { dayOf, useHour, type Schedule } from './schedules';
import { SourceFields } from './source-fields';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Of the API. */
const DEFAULTS = { at: 3, max_age_days: 30 };
const ACTIONS = ['none', 'attributes', 'blocklist_undeliverable'] as const;

/** What a schedule is made of, and what can be changed of it. */
export function ScheduleForm({
  before,
  submit,
  error,
  isBusy,
  onSubmit,
  onCancel,
}: {
  before?: Schedule;
  submit: string;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (fields: ScheduleFields) => void;
  onCancel: () => void;
}) {
  const t = useTexts(schedulesEn);
  const [kind, setKind] = useState<Kind>(before?.source.kind ?? 'url');
  const [faults, setFaults] = useState<Faults>({});
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readForm(t, event.currentTarget, before?.source.headers ?? []);
    setFaults(read.faults);
    if (Object.keys(read.faults).length === 0) onSubmit(read.fields);
  };
  return (
    <Form error={error} onSubmit={send}>
      <Field name="name" label={t.schedules.name}>
        {(props) => (
          <input {...props} name="name" maxLength={100} required autoFocus defaultValue={before?.name} />
        )}
      </Field>
      <SourceFields before={before?.source} kind={kind} faults={faults} onKind={setKind} />
      <TimeFields before={before} />
      <Field name="max_age_days" label={t.schedules.maxAge} hint={t.schedules.maxAgeHint}>
        {(props) => (
          <input
            {...props}
            name="max_age_days"
            type="number"
            min={1}
            max={365}
            required
            defaultValue={before?.max_age_days ?? DEFAULTS.max_age_days}
          />
        )}
      </Field>
      {kind === 'listmonk' && (
        <fieldset className={styles.choice}>
          <legend className={styles.label}>{t.schedules.onResult}</legend>
          {ACTIONS.map((action) => (
            <Check
              key={action}
              type="radio"
              name="on_result"
              value={action}
              label={t.schedules.actionsIn[action]}
              defaultChecked={action === (before?.on_result.listmonk ?? 'none')}
            />
          ))}
          <small className={styles.muted}>{t.schedules.neverDeleted}</small>
        </fieldset>
      )}
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onCancel}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? t.common.working : submit}
        </Button>
      </div>
    </Form>
  );
}

/** The day of the week or month is that on which the schedule was added. */
function TimeFields({ before }: { before: Schedule | undefined }) {
  const t = useTexts(schedulesEn);
  const language = useLanguage();
  const hour = useHour();
  const { weekday, day } = dayOf(before?.created_at ?? new Date().toISOString(), language);
  const { intervals } = t.schedules;
  const options = { day: intervals.day, week: intervals.week(weekday), month: intervals.month(day) };
  return (
    <>
      <Field name="every" label={t.schedules.every}>
        {(props) => (
          <select {...props} name="every" defaultValue={before?.every ?? 'week'}>
            {Object.entries(options).map(([every, text]) => (
              <option key={every} value={every}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="at" label={t.schedules.at} hint={t.schedules.atHint}>
        {(props) => (
          <select {...props} name="at" defaultValue={before?.at ?? DEFAULTS.at}>
            {HOURS.map((at) => (
              <option key={at} value={at}>
                {hour(t, at)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
