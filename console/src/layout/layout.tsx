import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useIsLost } from '../api/connection';
import { jobQuery, meQuery, useMe } from '../api/queries';
import { useKey } from '../api/session';
import { useQuery } from '@tanstack/react-query';
import { useQuestion } from '../pages/links/link-token';
import { SignInPage } from '../pages/sign-in/sign-in-page';
import { lazyPage } from '../lazy-page';
import { useTexts } from '../texts/texts';
import { Loading, QueryResult } from '../ui/query-result';
import { notice, useNotice } from '../ui/notice';
import { Button, Empty } from '../ui/ui';
import { AppMenu } from './app-menu';
import { Commands } from './commands/commands';
import { ModeSwitch } from './mode-switch';
import { Nav } from './nav';
import { TeamMenu } from './team-menu';
import styles from './layout.module.css';
import { Icon } from '../ui/icons';

export const LinkQuestion = lazyPage(() => import('../pages/links/link-question'), 'LinkQuestion');

/** The frame of all pages, or the page that asks for a key. */
export function Layout() {
  const t = useTexts();
  const key = useKey();
  const isLost = useIsLost();
  const question = useQuestion(key);
  return (
    <div className={key === null ? styles.frame : `${styles.frame} ${styles.signedIn}`}>
      <a className={styles.skip} href="#main">
        {t.common.skip}
      </a>
      <Header isSignedIn={key !== null} />
      {isLost && (
        <p className={styles.lost} role="alert">
          {t.common.lost}
        </p>
      )}
      {key !== null && <TestBand />}
      <NoticeLine key={`notice ${key}`} />
      {isReadableByOthers() && (
        <p className={styles.lost} role="note">
          {t.common.notEncrypted}
        </p>
      )}
      {question !== null ? (
        <Main>
          <Suspense fallback={<Loading />}>
            <LinkQuestion question={question} />
          </Suspense>
        </Main>
      ) : key === null ? (
        <Main>
          <SignInPage />
        </Main>
      ) : (
        <SignedIn key={key} apiKey={key} />
      )}
    </div>
  );
}

/** Results of test mode look like real ones, so every page says that they are not. */
function TestBand() {
  const t = useTexts();
  const me = useMe();
  if (me?.key.mode !== 'test') return null;
  return (
    <aside className={styles.test} aria-label={t.common.testMode}>
      {t.common.testBand}
    </aside>
  );
}

/** A live region announces what is put into it, so it is always there. */
function NoticeLine() {
  const t = useTexts();
  const shown = useNotice();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Of another team since, the list is not found.
  const isFound = useQuery({ ...jobQuery(shown?.job ?? ''), enabled: shown !== null }).isSuccess;
  // Who has opened the list knows it.
  useEffect(() => {
    if (shown !== null && path.endsWith(shown.job)) notice.set(null);
  }, [shown, path]);
  return (
    <div role="status" className={styles.notice}>
      {shown !== null && isFound && (
        <p>
          <Link to="/lists/$id" params={{ id: shown.job }}>
            {shown.text}
          </Link>{' '}
          <Button small variant="quiet" aria-label={t.common.close} onClick={() => notice.set(null)}>
            ✕
          </Button>
        </p>
      )}
    </div>
  );
}

/** Some browsers call a page of this machine insecure too. */
function isReadableByOthers(): boolean {
  return !isSecureContext && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
}

/** Another key is another session, so nothing of the previous one is kept. */
function SignedIn({ apiKey }: { apiKey: string }) {
  const me = useQuery(meQuery(apiKey));
  return <Main>{<QueryResult query={me}>{() => <Outlet />}</QueryResult>}</Main>;
}

function Main({ children }: { children: React.ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    // Screen readers start at the new page.
    if (shown.current !== path) ref.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return (
    <main id="main" ref={ref} tabIndex={-1} className={styles.main}>
      {children}
    </main>
  );
}

function Header({ isSignedIn }: { isSignedIn: boolean }) {
  const me = useMe();
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.brand} aria-label="Rcpt">
        <Icon name="brand" />
        <span>Rcpt</span>
      </Link>
      {isSignedIn && (me === null ? <Waiting /> : <TeamMenu team={me.team} />)}
      {isSignedIn && <Commands />}
      {isSignedIn && <Nav />}
      <div className={styles.who}>
        {isSignedIn && (me === null ? <Waiting /> : <ModeSwitch mode={me.key.mode} />)}
        <AppMenu isSignedIn={isSignedIn} />
      </div>
    </header>
  );
}

/** Holds a place in the header, so that nothing moves when its content is loaded. */
function Waiting() {
  return <div className={styles.waiting} aria-hidden="true" />;
}

export function NotFound() {
  const t = useTexts();
  return (
    <Empty title={t.common.notFound}>
      <Link to="/">{t.nav.verify}</Link>
    </Empty>
  );
}
