import type { Schemas } from '../../api/client';
import { scheduleFormTexts } from '../../texts/schedules/schedule-form.en';
import { useFormats, useLanguage, useTexts } from '../../texts/texts';
import { Untrusted } from '../../ui/untrusted';
import { styles } from '../../ui/ui';
import { Failure } from './run-text';

export type ScheduleCheck = Schemas['ScheduleCheck'];

/** What the source of a schedule shows. */
export function CheckResult({ check, isBusy }: { check: ScheduleCheck | undefined; isBusy: boolean }) {
  const t = useTexts(scheduleFormTexts);
  return (
    <div role="status">
      {isBusy && <p>{t.scheduleForm.checking}</p>}
      {!isBusy && check !== undefined && <Found check={check} />}
    </div>
  );
}

function Found({ check }: { check: ScheduleCheck }) {
  const t = useTexts(scheduleFormTexts);
  const language = useLanguage();
  const { number } = useFormats();
  const { failure, columns, email_column: column, rows_seen: rows, addresses_seen: addresses } = check;
  const names = new Intl.ListFormat(language, { type: 'unit' }).format(columns ?? []);
  return (
    <div className={failure === null ? styles.card : styles.error}>
      <strong>{failure === null ? t.scheduleForm.readable : t.scheduleForm.unreadable}</strong>
      {failure !== null && (
        <p>
          <Failure failure={failure} />
        </p>
      )}
      {failure?.code === 'malformed_list' && failure.detail !== null && (
        <p lang="en" className={styles.wrap}>
          <Untrusted text={failure.detail} />
        </p>
      )}
      {columns !== null && column !== null && (
        <p className={styles.wrap}>
          <Untrusted text={t.scheduleForm.columns(names, column)} />
        </p>
      )}
      {(failure === null || rows > 0) && (
        <p>{t.scheduleForm.addresses(number(addresses), number(rows), check.sample_is_whole)}</p>
      )}
      <FoundLists check={check} />
    </div>
  );
}

function FoundLists({ check: { listmonk, total } }: { check: ScheduleCheck }) {
  const t = useTexts(scheduleFormTexts);
  const { number } = useFormats();
  if (listmonk === null) return null;
  return (
    <>
      <ul>
        {listmonk.lists.map(({ id, name, subscribers }) => (
          <li key={id} className={styles.wrap}>
            <bdi>
              <Untrusted text={t.scheduleForm.list(id, name)} />
            </bdi>
            :{' '}
            {subscribers === null
              ? t.scheduleForm.notCounted
              : t.scheduleForm.subscribers(number(subscribers))}
          </li>
        ))}
      </ul>
      {total !== null && listmonk.lists.length > 1 && <p>{t.scheduleForm.total(number(total))}</p>}
    </>
  );
}
