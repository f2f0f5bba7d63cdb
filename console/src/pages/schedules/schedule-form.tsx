import { useRef, useState, type FormEvent } from 'react';
import { scheduleFormTexts } from '../../texts/schedules/schedule-form.en';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useLanguage, useTexts } from '../../texts/texts';
import { Form } from '../../ui/form';
import { ErrorNote } from '../../ui/query-result';
import { Button, Check, Field, styles } from '../../ui/ui';
import { readForm, type Faults, type Kind, type ScheduleFields } from './schedule-fields';
import { useOwnMail } from '../lists/ready/own-mail';
import { CheckResult } from './schedule-check';
import type { Schedule } from './schedules';
import { SourceFields } from './source-fields';
import { TimeFields } from './time-fields';
import { useScheduleSave } from './use-schedule-save';

/** Of the API. */
const DEFAULTS = { max_age_days: 30, max_blocklisted: { share: 0.1, count: 50 } };
const ACTIONS = ['none', 'attributes', 'blocklist_undeliverable'] as const;

/** What a schedule is made of, and what can be changed of it. */
export function ScheduleForm({ before, onClose }: { before?: Schedule; onClose: () => void }) {
  const t = useTexts(scheduleFormTexts);
  const language = useLanguage();
  const [kind, setKind] = useState<Kind>(before?.source.kind ?? 'url');
  const [faults, setFaults] = useState<Faults>({});
  const form = useRef<HTMLFormElement>(null);
  const { found, ...save } = useScheduleSave(before, onClose);
  /** With what the form has, unless something is wrong with it. */
  const withFields = (then: (fields: ScheduleFields) => void) => () => {
    if (form.current?.reportValidity() !== true) return;
    const read = readForm(t, language, form.current, before);
    setFaults(read.faults);
    if (Object.keys(read.faults).length === 0) then(read.fields);
  };
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    withFields(save.save)();
  };
  const [submit, anyway] =
    before === undefined
      ? [t.schedules.create, t.scheduleForm.addAnyway]
      : [t.common.save, t.scheduleForm.saveAnyway];
  return (
    <Form ref={form} error={save.error} onSubmit={send}>
      <Field name="name" label={t.schedules.name}>
        {(props) => (
          <input {...props} name="name" maxLength={100} required autoFocus defaultValue={before?.name} />
        )}
      </Field>
      <SourceFields
        before={before?.source}
        kind={kind}
        faults={faults}
        columns={found?.columns ?? []}
        onKind={setKind}
        onChange={save.forget}
      />
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
          <BoundFields before={before} />
        </fieldset>
      )}
      <NotifyCheck before={before} />
      <CheckResult check={found} isBusy={save.isChecking} />
      <ErrorNote error={save.error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button disabled={save.isBusy} onClick={withFields((fields) => save.check(fields))}>
          {t.scheduleForm.check}
        </Button>
        {save.hasFailed && (
          <Button disabled={save.isBusy} onClick={withFields(save.saveAnyway)}>
            {anyway}
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={save.isBusy}>
          {save.isBusy ? t.common.working : submit}
        </Button>
      </div>
    </Form>
  );
}

/** A mail to who adds the schedule. */
function NotifyCheck({ before }: { before: Schedule | undefined }) {
  const t = useTexts(scheduleFormTexts);
  const { email, why } = useOwnMail(t);
  const { notify, notifyAny } = t.scheduleForm;
  const wasAsked = (before?.notify ?? null) !== null;
  const label = before !== undefined || email === null ? notifyAny : notify(email);
  return (
    <Check
      name="notify"
      defaultChecked={wasAsked}
      disabled={email === null && !wasAsked}
      label={why === null ? label : `${notifyAny}. ${why}`}
    />
  );
}

/** Beyond both, a run waits for a person. */
function BoundFields({ before }: { before: Schedule | undefined }) {
  const t = useTexts(schedulesEn);
  const { share, count } = before?.on_result.max_blocklisted ?? DEFAULTS.max_blocklisted;
  return (
    <>
      <Field name="max_share" label={t.schedules.maxShare} hint={t.schedules.maxHint}>
        {(props) => (
          <input
            {...props}
            name="max_share"
            type="number"
            min={0}
            max={100}
            step="any"
            required
            defaultValue={Math.round(share * 10_000) / 100}
          />
        )}
      </Field>
      <Field name="max_count" label={t.schedules.maxCount}>
        {(props) => <input {...props} name="max_count" type="number" min={0} required defaultValue={count} />}
      </Field>
    </>
  );
}
