import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { api, data, forgetEnd, sessionEnd } from '../../api/client';
import { ApiError } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { isKey, signIn } from '../../api/session';
import { useTabValue } from '../../api/tab-value';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { formText } from '../../ui/form-text';
import { Button, Card, Copy, Field, styles } from '../../ui/ui';
import { LinkSignIn } from './link-sign-in';
import { inviteToken, signInToken } from './link-token';
import { MailForm } from './mail-form';
import { ProviderLink } from './provider-link';
import css from './sign-in.module.css';
import { useTitle } from '../../ui/use-title';

export function SignInPage() {
  useTitle(useTexts().signIn.title);
  const [isInvited, setIsInvited] = useState(inviteToken.get() !== null);
  const token = useTabValue(signInToken);
  return (
    <div className={css.page}>
      {token !== null ? (
        <LinkSignIn token={token} />
      ) : isInvited ? (
        <Join onKey={() => setIsInvited(false)} />
      ) : (
        <KeyForm onInvite={() => setIsInvited(true)} />
      )}
    </div>
  );
}

function KeyForm({ onInvite }: { onInvite: () => void }) {
  const t = useTexts();
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(sessionEnd);
  // Once it is shown: a render can begin more than once.
  useEffect(forgetEnd, []);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = formText(event.currentTarget, 'key');
    if (!isKey(key)) return setError(t.signIn.notAKey);
    setIsBusy(true);
    try {
      await client.fetchQuery(meQuery(key));
      signIn(key);
    } catch (caught) {
      const isUnknown = caught instanceof ApiError && caught.status === 401;
      setError(isUnknown ? t.signIn.unknownKey : (caught as Error).message);
    }
    setIsBusy(false);
  };
  return (
    <Card>
      <h1>{t.signIn.title}</h1>
      <p className={styles.muted}>{t.signIn.intro}</p>
      <form onSubmit={submit} className={styles.form}>
        <Field label={t.signIn.key}>
          {(props) => (
            <input
              {...props}
              name="key"
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="rcpt_live_…"
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
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? t.common.working : t.signIn.submit}
        </Button>
      </form>
      <ProviderLink />
      <MailForm />
      <p className={styles.muted}>{t.signIn.where}</p>
      <div>
        <Button variant="quiet" small onClick={onInvite}>
          {t.signIn.haveInvite}
        </Button>
      </div>
    </Card>
  );
}

/** A new user joins the team of the invite and gets a key. */
function Join({ onKey }: { onKey: () => void }) {
  const t = useTexts();
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { email: formText(form, 'email'), invite_token: formText(form, 'token') };
    setIsBusy(true);
    setError(null);
    try {
      const joined = await data(api.POST('/signup', { body }));
      inviteToken.set(null);
      setKey(joined.key.key);
    } catch (caught) {
      setError(caught as Error);
    }
    setIsBusy(false);
  };
  if (key !== null)
    return (
      <Card>
        <h1>{t.signIn.newKeyTitle}</h1>
        <p>
          {t.signIn.newKeyIntro} <strong>{t.common.shownOnce}</strong>
        </p>
        <Copy text={key} label={t.signIn.key} />
        <Button variant="primary" onClick={() => signIn(key)}>
          {t.signIn.proceed}
        </Button>
      </Card>
    );
  return (
    <Card>
      <h1>{t.signIn.inviteTitle}</h1>
      <p className={styles.muted}>{t.signIn.inviteIntro}</p>
      <form onSubmit={submit} className={styles.form}>
        <Field label={t.signIn.token}>
          {(props) => (
            <input
              {...props}
              name="token"
              required
              autoComplete="off"
              defaultValue={inviteToken.get() ?? ''}
            />
          )}
        </Field>
        <Field label={t.signIn.email}>
          {(props) => <input {...props} name="email" type="email" autoComplete="email" required autoFocus />}
        </Field>
        <ErrorNote error={error} />
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? t.common.working : t.signIn.accept}
        </Button>
      </form>
      <div>
        <Button variant="quiet" small onClick={onKey}>
          {t.signIn.haveKey}
        </Button>
      </div>
    </Card>
  );
}
