import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Me } from '../../api/client';
import { ApiError } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { isKey } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { formText } from '../../ui/form-text';
import { Button, Field, styles } from '../../ui/ui';

/** Asks for a key, and uses it only when it is valid. */
export function KeyForm({
  label,
  hint,
  placeholder = 'rcpt_live_…',
  submit,
  firstError = null,
  refuse,
  onKey,
  onCancel,
}: {
  label: string;
  hint?: string;
  placeholder?: string;
  submit: string;
  firstError?: string | null;
  /** Why a valid key cannot be used here; null: it can. */
  refuse?: (me: Me) => string | null;
  onKey: (key: string, me: Me) => void;
  onCancel?: () => void;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const [error, setError] = useState(firstError);
  const [isBusy, setIsBusy] = useState(false);
  const use = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = formText(event.currentTarget, 'key');
    if (!isKey(key))
      return setError(key.startsWith('rcpt_pub_') ? t.signIn.publishableKey : t.signIn.notAKey);
    setIsBusy(true);
    try {
      const me = await client.fetchQuery(meQuery(key));
      const refusal = refuse?.(me) ?? null;
      if (refusal === null) onKey(key, me);
      else setError(refusal);
    } catch (caught) {
      const isUnknown = caught instanceof ApiError && caught.status === 401;
      setError(isUnknown ? t.signIn.unknownKey : (caught as Error).message);
    }
    setIsBusy(false);
  };
  return (
    <form onSubmit={use} className={styles.form}>
      <Field label={label} {...(hint !== undefined && { hint })}>
        {(props) => (
          <input
            {...props}
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            required
            aria-invalid={error !== null}
            onChange={() => setError(null)}
            autoFocus
          />
        )}
      </Field>
      {error !== null && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <div className={onCancel === undefined ? styles.form : styles.actions}>
        {onCancel !== undefined && <Button onClick={onCancel}>{t.common.cancel}</Button>}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? t.common.working : submit}
        </Button>
      </div>
    </form>
  );
}
