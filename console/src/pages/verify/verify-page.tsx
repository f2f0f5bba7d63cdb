import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { api, data, type Verdict } from '../../api/client';
import { useMe } from '../../api/queries';
import { currentKey, modeOf, useKey } from '../../api/session';
import { useTabValue } from '../../api/tab-value';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { Button, ButtonLink, Card, Check, Empty, StatusBadge, Table, styles } from '../../ui/ui';
import { draft, pastedList, shownVerdict, toAsk } from './draft';
import { seemsBlocked, useHistory, verdictHistory } from './history';
import { lazyPage } from '../../lazy-page';
import css from './verify.module.css';
import { withoutName } from './without-name';
import { useTitle } from '../../ui/use-title';

/** The API waits at most this long for mail servers. */
const TIMEOUT_SECONDS = 30;
const SLOW_SECONDS = 2;
const TEST_ADDRESSES = ['jane', 'mailbox_not_found', 'catch_all', 'greylisted'];

/** About how many addresses a text has. */
const addressCount = (text: string) => text.split(/[\s,;]+/).filter((word) => word.includes('@')).length;

/** Loaded while nothing is to be shown yet. */
export const VerdictPart = lazyPage(() => import('./verdict-part'), 'VerdictPart');

/** The page works without it, so that it is no `lazyPage`, which would show an error in place of the page. */
const FirstSteps = lazy(async () => {
  // Vite moves a `catch` of the import itself before the style sheet is loaded.
  try {
    const module = await import('./first-steps');
    return { default: module.FirstSteps };
  } catch {
    return { default: () => null };
  }
});

export function VerifyPage() {
  const t = useTexts();
  useTitle(t.verify.title);
  const me = useMe();
  const stop = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const email = useTabValue(draft) ?? '';
  const { number } = useFormats();
  const navigate = useNavigate();
  const [refresh, setRefresh] = useState(false);
  const shown = useShown();
  const [pasted, setPasted] = useState<{ text: string; count: number } | null>(null);
  const verify = useMutation({
    mutationFn: (address: string) =>
      data(
        api.POST('/v1/verify', {
          body: { email: address, refresh, timeout: TIMEOUT_SECONDS, dialogue: true },
          signal: (stop.current = new AbortController()).signal,
        }),
      ) as Promise<Verdict>,
    onMutate: () => {
      shownVerdict.set(null);
      return { key: currentKey(), team: me?.team.id ?? '' };
    },
    onSuccess: (verdict, _, { key, team }) => {
      // The session may have ended, or show another team, while the verdict was on its way.
      if (key !== currentKey()) return;
      shownVerdict.set(JSON.stringify(verdict));
      const { email: address, status, reason, verified_at: at, smtp, cached } = verdict;
      const isReached = cached || !smtp?.stage ? null : smtp.stage !== 'connect';
      verdictHistory.add({ email: address, status, reason, at, team, mode: modeOf(key), isReached });
    },
  });
  const ask = (address: string) => {
    draft.set(address);
    verify.mutate(address);
    input.current?.focus();
  };
  const wanted = useTabValue(toAsk);
  useEffect(() => {
    if (wanted === null) return;
    toAsk.set(null);
    ask(wanted);
  }, [wanted]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void withoutName(email).then(ask);
  };
  return (
    <div className={styles.stack}>
      <h1>{t.verify.title}</h1>
      <form className={css.form} onSubmit={submit}>
        <label className={styles.visuallyHidden} htmlFor="address">
          {t.verify.address}
        </label>
        <input
          id="address"
          ref={input}
          className={`${styles.input} ${css.address}`}
          value={email}
          onChange={(event) => draft.set(event.target.value)}
          placeholder={t.verify.placeholder}
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          required
          autoFocus
          onPaste={({ clipboardData }) => {
            const text = clipboardData.getData('text');
            const count = addressCount(text);
            setPasted(count > 1 ? { text, count } : null);
          }}
        />
        <Button type="submit" variant="primary" disabled={verify.isPending}>
          {t.verify.submit}
        </Button>
        <Check
          label={t.verify.refresh}
          checked={refresh}
          onChange={(event) => setRefresh(event.target.checked)}
        />
      </form>
      <div role="status">
        {pasted !== null && (
          <p className={styles.row}>
            {t.verify.pasted(number(pasted.count))}
            <Button
              small
              onClick={() => {
                pastedList.set(pasted.text);
                void navigate({ to: '/lists' });
              }}
            >
              {t.verify.asList}
            </Button>
          </p>
        )}
      </div>
      {verify.isPending && <Asking onCancel={() => stop.current?.abort()} />}
      <ErrorNote
        error={verify.error?.name === 'AbortError' ? null : verify.error}
        onRetry={() => verify.mutate(email)}
      />
      <p role="status" className={styles.visuallyHidden}>
        {shown && (
          <>
            {t.status[shown.status]}. {t.reason[shown.reason]?.[0] ?? shown.reason}
          </>
        )}
      </p>
      <Blocked />
      {shown && (
        <Suspense fallback={<Loading />}>
          <VerdictPart verdict={shown} onTry={ask} refresh={refresh} />
        </Suspense>
      )}
      {!shown && (verify.isIdle || verify.error?.name === 'AbortError') && (
        <Empty icon="check" title={t.verify.emptyTitle}>
          <p>{t.verify.empty}</p>
          {me?.key.mode === 'test' && (
            <>
              <p>{t.verify.tryTest}</p>
              <div className={styles.row}>
                {TEST_ADDRESSES.map((local) => (
                  <Button key={local} small onClick={() => ask(`${local}@example.com`)}>
                    {local}@example.com
                  </Button>
                ))}
              </div>
            </>
          )}
        </Empty>
      )}
      <HistoryTable onAsk={ask} />
      <Steps />
    </div>
  );
}

/** The verdict that is shown; its address is in the fragment, which is sent to nobody and which a link may have. */
function useShown(): Verdict | null {
  const text = useTabValue(shownVerdict);
  const shown = useMemo(() => (text === null ? null : (JSON.parse(text) as Verdict)), [text]);
  const navigate = useNavigate();
  const email = shown?.email;
  useEffect(() => {
    if (email !== undefined)
      void navigate({ to: '/', hash: `email=${encodeURIComponent(email)}`, replace: true });
  }, [email]);
  return shown;
}

/** At the end of the page, so that nothing moves when they appear. Test keys cannot take them. */
function Steps() {
  const me = useMe();
  const latest = useHistory('live')[0]?.at;
  const team = me?.team.id ?? '';
  const hide = useCallback(() => localStorage.setItem(`rcpt.steps-hidden ${team}`, ''), [team]);
  if (me?.key.mode !== 'live' || localStorage.getItem(`rcpt.steps-hidden ${team}`) !== null) return null;
  return (
    <Suspense fallback={null}>
      <FirstSteps me={me} latest={latest} onEnd={hide} />
    </Suspense>
  );
}

/** How long it takes, and a way out. */
function Asking({ onCancel }: { onCancel: () => void }) {
  const t = useTexts();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.row}>
      <Loading>{t.verify.asking}</Loading>
      {seconds >= SLOW_SECONDS && (
        <>
          <span className={styles.muted}>{t.verify.waited(seconds)}</span>
          <Button small onClick={onCancel}>
            {t.common.cancel}
          </Button>
        </>
      )}
    </div>
  );
}

/** After some servers that could not be reached, and none that could. */
function Blocked() {
  const t = useTexts();
  const me = useMe();
  if (!seemsBlocked(useHistory('live'))) return null;
  return (
    <div className={styles.error} role="note">
      <strong>{t.verify.blockedTitle}</strong>
      <p>{t.verify.blocked}</p>
      {me?.operator === true ? (
        <ButtonLink to="/system" hash="checks">
          {t.verify.runChecks}
        </ButtonLink>
      ) : (
        <p>{t.verify.blockedOther}</p>
      )}
    </div>
  );
}

function HistoryTable({ onAsk }: { onAsk: (email: string) => void }) {
  const t = useTexts();
  const { time } = useFormats();
  const me = useMe();
  const mode = modeOf(useKey());
  const entries = useHistory(mode);
  if (entries.length === 0) return null;
  return (
    <Card
      title={t.verify.history}
      action={
        <Button
          small
          variant="quiet"
          onClick={() => verdictHistory.clearScope({ team: me?.team.id ?? '', mode })}
        >
          {t.verify.clear}
        </Button>
      }
    >
      <p className={styles.muted}>{t.verify.historyHint}</p>
      <Table
        label={t.verify.history}
        align={{ 2: 'end' }}
        head={[t.verify.address, t.common.status, t.verify.at]}
      >
        {entries.map(({ email, status, at }) => (
          <tr key={email}>
            <td>
              <button className={css.again} title={t.verify.again(email)} onClick={() => onAsk(email)}>
                {email}
              </button>
            </td>
            <td>
              <StatusBadge status={status} />
            </td>
            <td className={`${styles.end} ${styles.muted}`}>
              <time dateTime={at}>{time(at)}</time>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
