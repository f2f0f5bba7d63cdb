import { useState, type FormEvent } from 'react';
import { useTexts } from '../../texts/texts';
import { formText } from '../../ui/form-text';
import { Button, Card, Field, styles } from '../../ui/ui';
import { inviteToken } from '../links/link-token';

/** For an invite that came without a link that can be opened. */
export function PasteInvite({ onBack }: { onBack: () => void }) {
  const t = useTexts();
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [token] = /rcpt_invite_[\w.-]+/.exec(formText(event.currentTarget, 'invite')) ?? [];
    if (token === undefined) setIsWrong(true);
    else inviteToken.set(token);
  };
  return (
    <Card>
      <h1>{t.signIn.inviteTitle}</h1>
      <p className={styles.muted}>{t.signIn.inviteIntro}</p>
      <form onSubmit={submit} className={styles.form}>
        <Field label={t.signIn.linkOrToken}>
          {(props) => (
            <input
              {...props}
              name="invite"
              required
              autoComplete="off"
              autoFocus
              aria-invalid={isWrong}
              onChange={() => setIsWrong(false)}
            />
          )}
        </Field>
        {isWrong && (
          <p role="alert" className={styles.error}>
            {t.signIn.notAnInvite}
          </p>
        )}
        <Button type="submit" variant="primary">
          {t.signIn.proceed}
        </Button>
      </form>
      <div>
        <Button variant="quiet" small onClick={onBack}>
          {t.signIn.otherWay}
        </Button>
      </div>
    </Card>
  );
}
