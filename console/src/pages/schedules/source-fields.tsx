import { useEffect, useId, useRef, useState } from 'react';
import { scheduleFormTexts } from '../../texts/schedules/schedule-form.en';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { Check, Field, styles } from '../../ui/ui';
import { isOtherHost, type Faults, type Kind } from './schedule-fields';
import type { Schedule } from './schedules';

/** Where the rows come from. Stored secrets are never shown, and stay as long as the host is the same. */
export function SourceFields({
  before,
  kind,
  faults,
  columns,
  onKind,
  onChange,
}: {
  before: Schedule['source'] | undefined;
  kind: Kind;
  faults: Faults;
  /** Of the file, if they are known. */
  columns: readonly string[];
  onKind: (kind: Kind) => void;
  onChange: () => void;
}) {
  const t = useTexts(schedulesEn);
  const [url, setUrl] = useState(before?.url ?? '');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults]);
  const stored = before?.kind === kind ? before : undefined;
  const isMoved = stored !== undefined && isOtherHost(stored.url, url);
  return (
    <div ref={place} className={styles.form} onChange={onChange}>
      <Field name="source/kind" label={t.schedules.kind}>
        {(props) => (
          <select {...props} name="kind" value={kind} onChange={({ target }) => onKind(target.value as Kind)}>
            {(['url', 'listmonk'] as const).map((each) => (
              <option key={each} value={each}>
                {t.schedules.kinds[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="source/url" label={t.schedules.url[kind]} hint={t.schedules.urlHint[kind]}>
        {(props) => (
          <input
            {...props}
            name="url"
            type="url"
            placeholder="https://"
            maxLength={2_048}
            required
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      {kind === 'url' ? (
        <>
          <Headers names={stored?.headers ?? []} isMoved={isMoved} fault={faults.headers} />
          <Column stored={stored?.email_column ?? null} columns={columns} />
        </>
      ) : (
        <Listmonk stored={stored} isMoved={isMoved} fault={faults.lists} />
      )}
    </div>
  );
}

function Headers({
  names,
  isMoved,
  fault,
}: {
  names: readonly string[];
  isMoved: boolean;
  fault: string | undefined;
}) {
  const t = useTexts(schedulesEn);
  const [isReplacing, setIsReplacing] = useState(false);
  const all = names.join(', ');
  const hint =
    names.length === 0
      ? t.schedules.headersHint
      : `${isMoved ? t.schedules.otherHost(all) : t.schedules.replaceHint} ${t.schedules.headersHint}`;
  return (
    <>
      {names.length > 0 && !isMoved && (
        <>
          <p className={styles.muted}>{t.schedules.headersStored(all)}</p>
          <Check
            label={t.schedules.replaceHeaders}
            checked={isReplacing}
            onChange={({ target }) => setIsReplacing(target.checked)}
          />
        </>
      )}
      {(names.length === 0 || isMoved || isReplacing) && (
        <Field
          name="source/headers"
          label={`${t.schedules.headers} (${t.common.optional})`}
          hint={hint}
          errors={fault === undefined ? [] : [fault]}
        >
          {(props) => <textarea {...props} name="headers" rows={3} autoComplete="off" spellCheck={false} />}
        </Field>
      )}
    </>
  );
}

function Column({ stored, columns }: { stored: string | null; columns: readonly string[] }) {
  const t = useTexts(scheduleFormTexts);
  const known = useId();
  return (
    <Field
      name="source/email_column"
      label={`${t.schedules.column} (${t.common.optional})`}
      hint={t.scheduleForm.columnHint}
    >
      {(props) => (
        <>
          <input
            {...props}
            name="email_column"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            list={known}
            defaultValue={stored ?? ''}
          />
          <datalist id={known}>
            {columns.map((name, at) => (
              <option key={at} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function Listmonk({
  stored,
  isMoved,
  fault,
}: {
  stored: Schedule['source'] | undefined;
  isMoved: boolean;
  fault: string | undefined;
}) {
  const t = useTexts(schedulesEn);
  const { tokenHint, tokenStored, tokenOtherHost } = t.schedules;
  const isKept = stored !== undefined && !isMoved;
  return (
    <>
      <Field name="source/username" label={t.schedules.username} hint={t.schedules.usernameHint}>
        {(props) => (
          <input
            {...props}
            name="username"
            maxLength={200}
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={stored?.username}
          />
        )}
      </Field>
      <Field
        name="source/token"
        label={t.schedules.token}
        hint={isKept ? tokenStored : isMoved ? tokenOtherHost : tokenHint}
      >
        {(props) => (
          <input
            {...props}
            name="token"
            type="password"
            maxLength={1_000}
            required={!isKept}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field
        name="source/lists"
        label={t.schedules.listIds}
        hint={t.schedules.listIdsHint}
        errors={fault === undefined ? [] : [fault]}
      >
        {(props) => (
          <input
            {...props}
            name="lists"
            maxLength={1_200}
            required
            autoComplete="off"
            defaultValue={stored?.lists?.join(', ')}
          />
        )}
      </Field>
    </>
  );
}
