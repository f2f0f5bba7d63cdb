import { useState } from 'react';
import { signOut, switchTeam, useOtherTeams } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { Button, Card, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { PasteInvite } from './paste-invite';
import { SignInWays } from './sign-in-ways';
import { useSignupMode } from './sign-in-options';
import css from './sign-in.module.css';
import { SignUp } from './sign-up';

export function SignInPage() {
  useTitle(useTexts().signIn.title);
  const [way, setWay] = useState<'sign-in' | 'invite' | 'sign-up'>('sign-in');
  const back = () => setWay('sign-in');
  return (
    <div className={css.page}>
      {way === 'invite' ? (
        <PasteInvite onBack={back} />
      ) : way === 'sign-up' ? (
        <SignUp onBack={back} />
      ) : (
        <SignIn onInvite={() => setWay('invite')} onSignUp={() => setWay('sign-up')} />
      )}
    </div>
  );
}

function SignIn({ onInvite, onSignUp }: { onInvite: () => void; onSignUp: () => void }) {
  const t = useTexts();
  const signup = useSignupMode();
  return (
    <Card>
      <h1>{t.signIn.title}</h1>
      <OtherTeams />
      <SignInWays />
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
