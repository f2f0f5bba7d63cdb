import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useIsLost } from '../api/connection';
import { meQuery, useMe } from '../api/queries';
import { useKey } from '../api/session';
import { useQuery } from '@tanstack/react-query';
import { useQuestion } from '../pages/links/link-token';
import { lazyPage } from '../lazy-page';
import { useTexts } from '../texts/texts';
import { Loading, QueryResult } from '../ui/query-result';
import { Empty } from '../ui/ui';
import { AppMenu } from './app-menu';
import { Commands } from './commands/commands';
import { ModeSwitch } from './mode-switch';
import { Nav } from './nav';
import { NoticeLine } from './notice-line';
import { TeamMenu } from './team-menu';
import styles from './layout.module.css';
import { Icon } from '../ui/icons';

export const LinkQuestion = lazyPage(() => import('../pages/links/link-question'), 'LinkQuestion');

export const SignInPage = lazyPage(() => import('../pages/sign-in/sign-in-page'), 'SignInPage');

/** The frame of all pages, or the page that asks for a key. */
export function Layout() {
  const t = useTexts();
  const key = useKey();
  const isLost = useIsLost();
  const question = useQuestion(key);
  // A program waits for an answer, so that nothing leads away from the question.
  const isAlone = question === 'authorize';
  return (
    <div className={key === null || isAlone ? styles.frame : `${styles.frame} ${styles.signedIn}`}>
      <a className={styles.skip} href="#main">
        {t.common.skip}
      </a>
      <Header isSignedIn={key !== null} isAlone={isAlone} />
      {isLost && (
        <p className={styles.lost} role="alert">
          {t.common.lost}
        </p>
      )}
      <Bands />
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
          <Suspense fallback={<Loading />}>
            <SignInPage />
          </Suspense>
        </Main>
      ) : (
        <SignedIn key={key} apiKey={key} />
      )}
    </div>
  );
}

/** Results of test mode look like real ones, and what waits in a paused service like a fault: every page says so. */
function Bands() {
  const t = useTexts();
  const me = useMe();
  return (
    <>
      {me?.key.mode === 'test' && (
        <aside className={styles.test} aria-label={t.common.testMode}>
          {t.common.testBand}
        </aside>
      )}
      {me?.paused && <aside className={styles.lost}>{t.common.paused}</aside>}
    </>
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

function Header({ isSignedIn, isAlone }: { isSignedIn: boolean; isAlone: boolean }) {
  const me = useMe();
  return (
    <header className={styles.header}>
      <Link to="/" className={styles.brand} aria-label="Rcpt">
        <Icon name="brand" />
        <span>Rcpt</span>
      </Link>
      {isSignedIn && (me === null ? <Waiting /> : <TeamMenu team={me.team} />)}
      {isSignedIn && !isAlone && <Commands />}
      {isSignedIn && !isAlone && <Nav />}
      <div className={styles.who}>
        {isSignedIn && !isAlone && (me === null ? <Waiting /> : <ModeSwitch mode={me.key.mode} />)}
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
    <Empty title={t.common.notFound} isPage>
      <Link to="/">{t.nav.verify}</Link>
    </Empty>
  );
}
