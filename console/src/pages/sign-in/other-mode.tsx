import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, data } from '../../api/client';
import { meQuery, useMe } from '../../api/queries';
import { ApiError } from '../../api/problem';
import { isKey, modeOf, switchTo } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

const MONTH_MS = 30 * 86_400_000;

/** Asks for a key of the mode that the session has no key of, and uses it. */
export function OtherMode({ onClose }: { onClose: () => void }) {
  const t = useTexts(teamEn);
  const client = useQueryClient();
  const me = useMe();
  const [error, setError] = useState<string | null>(null);
  const create = useApiMutation(async () => {
    const expires = new Date(Date.now() + MONTH_MS).toISOString();
    const body = { name: t.modes.keyName, mode: 'test', expires_at: expires } as const;
    const { key } = await data(api.POST('/v1/keys', { body }));
    if (key !== null) begin(key);
  }, []);
  if (me === null) return null;
  const isLive = me.key.mode === 'live';
  const begin = (key: string) => {
    onClose();
    switchTo(key);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = formText(event.currentTarget, 'key');
    if (!isKey(key)) return setError(t.signIn.notAKey);
    if (modeOf(key) === me.key.mode) return setError(isLive ? t.modes.notTest : t.modes.notLive);
    try {
      const { team } = await client.fetchQuery(meQuery(key));
      if (team.id === me.team.id) begin(key);
      else setError(t.modes.otherTeam(team.name));
    } catch (caught) {
      const isUnknown = caught instanceof ApiError && caught.status === 401;
      setError(isUnknown ? t.signIn.unknownKey : (caught as Error).message);
    }
  };
  return (
    <Dialog title={isLive ? t.modes.test : t.modes.live} onClose={onClose}>
      <p>{isLive ? t.modes.testIntro : t.modes.liveIntro}</p>
      {isLive && me.user !== null && (
        <>
          <p>{t.modes.createIntro}</p>
          <ErrorNote error={create.error} />
          <div className={styles.row}>
            <Button variant="primary" disabled={create.isPending} onClick={() => create.mutate(undefined)}>
              {t.modes.create}
            </Button>
          </div>
        </>
      )}
      <form className={styles.form} onSubmit={submit}>
        <Field label={isLive ? t.modes.testKey : t.modes.liveKey}>
          {(props) => (
            <input
              {...props}
              name="key"
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder={isLive ? 'rcpt_test_…' : 'rcpt_live_…'}
              required
              aria-invalid={error !== null}
              onChange={() => setError(null)}
            />
          )}
        </Field>
        {error !== null && (
          <p role="alert" className={styles.error}>
            {error}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit">{t.modes.use}</Button>
        </div>
      </form>
    </Dialog>
  );
}
