import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '../../api/client';
import { ApiError } from '../../api/problem';
import { meQuery } from '../../api/queries';
import { currentKey, liveKey, useKey } from '../../api/session';
import { authorizeEn } from '../../texts/team/authorize.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { Icon } from '../../ui/icons';
import { Untrusted, visible } from '../../ui/untrusted';
import { Button, Card, Check, Field, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import css from '../sign-in/sign-in.module.css';
import { SignInWays } from '../sign-in/sign-in-ways';
import {
  answerAuthorization,
  hostOf,
  readAuthorization,
  type Authorization,
  type Scope,
} from './authorization';
import { authorizeRequest } from './link-token';

const DAYS_MS = 30 * 86_400_000;
const leave = () => authorizeRequest.set(null);

/** Asks whether a program may act for the team. @param token the id of its request. */
export function Authorize({ token }: { token: string }) {
  const t = useTexts(authorizeEn);
  useTitle(t.authorize.title);
  const key = useKey();
  const me = useQuery(meQuery(key));
  const request = useQuery({
    queryKey: ['authorization', token],
    queryFn: () => readAuthorization(token),
    staleTime: Infinity,
  });
  const [isDone, setIsDone] = useState(false);
  if (isDone) return <End text={t.authorize.done} />;
  if (request.error !== null) {
    const isGone = request.error instanceof ApiError && request.error.status === 404;
    return isGone ? (
      <End text={t.authorize.gone} />
    ) : (
      <ErrorNote error={request.error} onRetry={() => request.refetch()} />
    );
  }
  if (request.data === undefined || (key !== null && me.isPending)) return <Loading />;
  return (
    <Card>
      <Parties name={request.data.client.name} />
      <h1>{t.authorize.title}</h1>
      <Program asked={request.data} team={me.data?.team.name ?? null} />
      {me.data === undefined ? (
        <>
          <p>{t.authorize.signInFirst}</p>
          <SignInWays />
        </>
      ) : (
        <Permission token={token} asked={request.data} me={me.data} onDone={() => setIsDone(true)} />
      )}
    </Card>
  );
}

/** A picture of the program would be loaded from a stranger, so that its initial is its mark. */
function Parties({ name }: { name: string | null }) {
  const [initial = '?'] = visible(name ?? '').match(/[\p{L}\p{N}]/u) ?? [];
  return (
    <div className={css.parties} aria-hidden="true">
      <span className={css.initial}>{initial.toLocaleUpperCase()}</span>
      {name !== null && <Untrusted text={name} />}
      <span className={css.between}>→</span>
      <Icon name="brand" />
      Rcpt
    </div>
  );
}

function Program({ asked, team }: { asked: Authorization; team: string | null }) {
  const t = useTexts(authorizeEn);
  const { client } = asked;
  const host = hostOf(asked);
  return (
    <>
      <p>
        <strong>{client.name === null ? t.authorize.unnamed : <Untrusted text={client.name} />}</strong>{' '}
        {team !== null && (
          <>
            {t.authorize.asks} <strong>{team}</strong>.
          </>
        )}
      </p>
      <p role={client.verified ? undefined : 'note'}>
        {client.verified ? t.authorize.verified(visible(new URL(client.id).host)) : t.authorize.notVerified}
      </p>
      <p>{host === null ? t.authorize.answerToComputer : t.authorize.answerTo(visible(host))}</p>
    </>
  );
}

function Permission({
  token,
  asked,
  me,
  onDone,
}: {
  token: string;
  asked: Authorization;
  me: Me;
  onDone: () => void;
}) {
  const t = useTexts(authorizeEn);
  const { date } = useFormats();
  const [mode, setMode] = useState(me.key.mode);
  const [scopes, setScopes] = useState<readonly Scope[]>(asked.scopes);
  const answer = useMutation({
    mutationFn: (allow: boolean) => {
      const key = (mode === 'live' ? liveKey() : null) ?? currentKey() ?? '';
      return answerAuthorization(token, key, allow ? { allow, mode, scopes } : { allow });
    },
    onSuccess: (next) => {
      location.assign(next);
      // A program on this computer leaves the browser at this page.
      if (asked.redirect.scheme.startsWith('http')) leave();
      else onDone();
    },
  });
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  const isPerson = me.user !== null;
  return (
    <>
      {me.user !== null && <p>{t.authorize.as(me.user.email)}</p>}
      <fieldset className={styles.choice}>
        <legend>{t.authorize.mayDo}</legend>
        {asked.scopes.map((scope) => (
          <Check
            key={scope}
            label={t.authorize.scopes[scope]}
            checked={scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </fieldset>
      <Field label={t.authorize.mode}>
        {(props) => (
          <select {...props} value={mode} onChange={({ target }) => setMode(target.value as typeof mode)}>
            {liveKey() !== null && <option value="live">{t.authorize.live}</option>}
            <option value="test">{t.authorize.test}</option>
          </select>
        )}
      </Field>
      <p className={styles.muted}>
        {t.authorize.until(date(new Date(Date.now() + DAYS_MS).toISOString()))} {t.authorize.otherTeam}
      </p>
      {!isPerson && <p role="alert">{t.authorize.noUser}</p>}
      <ErrorNote error={answer.error} />
      <div className={styles.row}>
        <Button
          variant="primary"
          disabled={answer.isPending || !isPerson || scopes.length === 0}
          onClick={() => answer.mutate(true)}
        >
          {t.authorize.allow}
        </Button>
        <Button disabled={answer.isPending || !isPerson} onClick={() => answer.mutate(false)}>
          {t.authorize.deny}
        </Button>
      </div>
    </>
  );
}

function End({ text }: { text: string }) {
  const t = useTexts(authorizeEn);
  return (
    <Card>
      <p role="status">{text}</p>
      <div>
        <Button onClick={leave}>{t.authorize.proceed}</Button>
      </div>
    </Card>
  );
}
