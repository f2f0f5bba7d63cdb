import { useEffect, useState, type FormEvent } from 'react';
import { api, data, forgetEnd, sessionEnd } from '../../api/client';
import { signIn, signOut, switchTeam, useOtherTeams } from '../../api/session';
import { useTabValue } from '../../api/tab-value';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Card, Field, styles } from '../../ui/ui';
import { KeyForm } from './key-form';
import { LinkSignIn } from './link-sign-in';
import { inviteToken, signInToken } from './link-token';
import { MailForm } from './mail-form';
import { NewKey } from './new-key';
import { ProviderLink } from './provider-link';
import { useSignupMode } from './sign-in-options';
import css from './sign-in.module.css';
import { SignUp } from './sign-up';
import { useTitle } from '../../ui/use-title';

export function SignInPage() {
  useTitle(useTexts().signIn.title);
  const [way, setWay] = useState<'key' | 'invite' | 'sign-up'>(inviteToken.get() === null ? 'key' : 'invite');
  const token = useTabValue(signInToken);
  return (
    <div className={css.page}>
      {token !== null ? (
        <LinkSignIn token={token} />
      ) : way === 'invite' ? (
        <Join onKey={() => setWay('key')} />
      ) : way === 'sign-up' ? (
        <SignUp onBack={() => setWay('key')} />
      ) : (
        <SignIn onInvite={() => setWay('invite')} onSignUp={() => setWay('sign-up')} />
      )}
    </div>
  );
}

function SignIn({ onInvite, onSignUp }: { onInvite: () => void; onSignUp: () => void }) {
  const t = useTexts();
  const [error] = useState<string | null>(sessionEnd);
  const signup = useSignupMode();
  // Once it is shown: a render can begin more than once.
  useEffect(forgetEnd, []);
  return (
    <Card>
      <h1>{t.signIn.title}</h1>
      <OtherTeams />
      <p className={styles.muted}>{t.signIn.intro}</p>
      <KeyForm label={t.signIn.key} submit={t.signIn.submit} firstError={error} onKey={signIn} />
      <ProviderLink />
      <MailForm />
      <p className={styles.muted}>{t.signIn.where}</p>
      <div className={styles.row}>
        <Button variant="quiet" small onClick={onInvite}>
          {t.signIn.haveInvite}
        </Button>
        {(signup === 'open' || signup === 'confirm') && (
          <Button variant="quiet" small onClick={onSignUp}>
            {t.signIn.signUpTitle}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The teams that are left when one of the session has ended. */
function OtherTeams() {
  const t = useTexts();
  const teams = useOtherTeams();
  if (teams.length === 0) return null;
  return (
    <>
      <p>{t.signIn.otherTeams}</p>
      <ul className={styles.stack}>
        {teams.map(({ id, name }) => (
          <li key={id}>
            <Button onClick={() => switchTeam(id, null)}>{name}</Button>
          </li>
        ))}
      </ul>
      <div>
        <Button variant="quiet" small onClick={signOut}>
          {t.menu.signOutAll}
        </Button>
      </div>
    </>
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
  if (key !== null) return <NewKey apiKey={key} />;
  return (
    <Card>
      <h1>{t.signIn.inviteTitle}</h1>
      <p className={styles.muted}>{t.signIn.inviteIntro}</p>
      <Form error={error} onSubmit={submit}>
        <Field name="invite_token" label={t.signIn.token}>
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
        <Field name="email" label={t.signIn.email}>
          {(props) => <input {...props} name="email" type="email" autoComplete="email" required autoFocus />}
        </Field>
        <ErrorNote error={error} />
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? t.common.working : t.signIn.accept}
        </Button>
      </Form>
      <div>
        <Button variant="quiet" small onClick={onKey}>
          {t.signIn.haveKey}
        </Button>
      </div>
    </Card>
  );
}
