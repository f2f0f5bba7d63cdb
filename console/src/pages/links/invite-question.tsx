import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { ApiError } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { useKey } from '../../api/session';
import { peopleEn } from '../../texts/team/people.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { Untrusted } from '../../ui/untrusted';
import { Button, Card, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { NewKey } from '../sign-in/new-key';
import { SignInWays } from '../sign-in/sign-in-ways';
import { JoinAsMember } from './join-as-member';
import { JoinAsNewUser } from './join-as-new-user';
import { inviteToken } from './link-token';

const leave = () => inviteToken.set(null);

/** Asks whether to join a team: somebody new, who has an account, or who is signed in. */
export function InviteQuestion({ token }: { token: string }) {
  const t = useTexts(peopleEn);
  useTitle(t.invite.title);
  const key = useKey();
  const me = useQuery(meQuery(key));
  const offer = useQuery({
    queryKey: ['invite', token],
    queryFn: () => data(api.POST('/invites/read', { body: { token } })),
    // While the page is open, the person uses it.
    staleTime: Infinity,
  });
  /** The key of a new user, which is shown once. */
  const [made, setMade] = useState<string | null>(null);
  const [hasAccount, setHasAccount] = useState(false);
  if (made !== null) return <NewKey apiKey={made} onProceed={leave} />;
  if (offer.error !== null) return <Unusable error={offer.error} onRetry={() => offer.refetch()} />;
  if (offer.data === undefined || (key !== null && me.isPending)) return <Loading />;
  return (
    <Card>
      <Offer offer={offer.data} />
      {me.data !== undefined ? (
        <JoinAsMember token={token} me={me.data} email={offer.data.email} onLeave={leave} />
      ) : hasAccount ? (
        <>
          <p>{t.invite.signInFirst}</p>
          <SignInWays email={offer.data.email} />
        </>
      ) : (
        <JoinAsNewUser
          token={token}
          email={offer.data.email}
          onKey={setMade}
          onAccount={() => setHasAccount(true)}
        />
      )}
      {me.data === undefined && (
        <div className={styles.row}>
          <Button variant="quiet" small onClick={() => setHasAccount(!hasAccount)}>
            {hasAccount ? t.invite.isNew : t.invite.hasAccount}
          </Button>
          <Button variant="quiet" small onClick={leave}>
            {t.invite.notNow}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Offer({
  offer: { team, invited_by: inviter, email, role, expires_at: end },
}: {
  offer: Schemas['InviteOffer'];
}) {
  const t = useTexts(peopleEn);
  const { time } = useFormats();
  return (
    <>
      <h1>
        {t.invite.title}{' '}
        <q>
          <Untrusted text={team} />
        </q>
      </h1>
      <p>
        {inviter === null
          ? t.invite.invited(t.common.role[role])
          : t.invite.invitedBy(inviter, t.common.role[role])}
      </p>
      <p className={styles.muted}>{t.invite.details(email, time(end))}</p>
    </>
  );
}

/** The response is the same whatever the reason, so that this names all. */
function Unusable({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  const t = useTexts(peopleEn);
  const isInvalid = error instanceof ApiError && error.code === 'invalid_invite';
  return (
    <Card>
      <h1>{isInvalid ? t.invite.invalidTitle : t.invite.title}</h1>
      {isInvalid ? <p role="alert">{t.invite.invalid}</p> : <ErrorNote error={error} onRetry={onRetry} />}
      <div>
        <Button onClick={leave}>{t.invite.proceed}</Button>
      </div>
    </Card>
  );
}
