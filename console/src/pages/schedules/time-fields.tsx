import { useState } from 'react';
import { WEEKDAYS, weekdayIn, useHour, type Schedule } from './schedules';
import { scheduleFormTexts } from '../../texts/schedules/schedule-form.en';
import { useLanguage, useTexts } from '../../texts/texts';
import { Field } from '../../ui/ui';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const DAYS = Array.from({ length: 31 }, (_, day) => day + 1);
/** Of the API. */
const DEFAULT_AT = 3;

/** When a schedule runs: on the day of its creation, unless another one is chosen. */
export function TimeFields({ before }: { before: Schedule | undefined }) {
  const t = useTexts(scheduleFormTexts);
  const language = useLanguage();
  const hour = useHour();
  const now = new Date();
  const [every, setEvery] = useState<Schedule['every']>(before?.every ?? 'week');
  const { intervals } = t.schedules;
  return (
    <>
      <Field name="every" label={t.schedules.every}>
        {(props) => (
          <select
            {...props}
            name="every"
            value={every}
            onChange={({ target }) => setEvery(target.value as Schedule['every'])}
          >
            {(['day', 'week', 'month'] as const).map((each) => (
              <option key={each} value={each}>
                {intervals[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {every === 'week' && (
        <Field name="weekday" label={t.scheduleForm.weekday}>
          {(props) => (
            <select
              {...props}
              name="weekday"
              defaultValue={before?.weekday ?? WEEKDAYS[(now.getUTCDay() + 6) % 7]}
            >
              {WEEKDAYS.map((weekday) => (
                <option key={weekday} value={weekday}>
                  {weekdayIn(language, weekday)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {every === 'month' && (
        <Field name="day_of_month" label={t.scheduleForm.day}>
          {(props) => (
            <select {...props} name="day_of_month" defaultValue={before?.day_of_month ?? now.getUTCDate()}>
              {DAYS.map((day) => (
                <option key={day} value={day}>
                  {t.scheduleForm.dayOf(day)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field name="at" label={t.schedules.at} hint={t.schedules.atHint}>
        {(props) => (
          <select {...props} name="at" defaultValue={before?.at ?? DEFAULT_AT}>
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
