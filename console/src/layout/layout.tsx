import { Link, Outlet, useRouter, useRouterState, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useIsLost } from '../api/connection';
import { meQuery, useMe } from '../api/queries';
import { useKey } from '../api/session';
import { useQuery } from '@tanstack/react-query';
import { offeredKey } from '../pages/sign-in/link-token';
import { ReplaceSession } from '../pages/sign-in/replace-session';
import { SignInPage } from '../pages/sign-in/sign-in-page';
import { useTexts } from '../texts/texts';
import { Answer } from '../ui/answers';
import { Badge, Button, Card, Empty, styles as ui } from '../ui/ui';
import { AppMenu } from './app-menu';
import styles from './layout.module.css';
import { Icon } from './icons';

/** The frame of all pages, or the page that asks for a key. */
export function Layout() {
  const t = useTexts();
  const key = useKey();
  const isLost = useIsLost();
  const [offered, setOffered] = useState(() => offeredKey.get());
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {t.common.skip}
      </a>
      <Header isSignedIn={key !== null} />
      {isLost && (
        <p className={styles.lost} role="alert">
          {t.common.lost}
        </p>
      )}
      {!isSecureContext && (
        <p className={styles.lost} role="note">
          {t.common.notEncrypted}
        </p>
      )}
      {key !== null && offered !== null ? (
        <Main>
          <ReplaceSession offered={offered} onDone={() => setOffered(null)} />
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

/** Another key is another session, so nothing of the previous one is kept. */
function SignedIn({ apiKey }: { apiKey: string }) {
  const me = useQuery(meQuery(apiKey));
  return <Main>{<Answer query={me}>{() => <Outlet />}</Answer>}</Main>;
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

const PAGES = [
  { to: '/', name: 'verify', icon: 'check' },
  { to: '/lists', name: 'lists', icon: 'list' },
  { to: '/team', name: 'team', icon: 'team' },
  { to: '/webhooks', name: 'webhooks', icon: 'hook' },
  { to: '/system', name: 'system', icon: 'pulse' },
] as const;

function Header({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTexts();
  const me = useMe();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to="/" className={styles.brand}>
          <Icon name="brand" />
          Rcpt
        </Link>
        {isSignedIn && (
          <nav className={styles.nav} aria-label={t.nav.main}>
            {PAGES.filter(({ name }) => name !== 'system' || me?.operator === true).map(
              ({ to, name, icon }) => (
                <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={styles.link}>
                  <Icon name={icon} />
                  {t.nav[name]}
                </Link>
              ),
            )}
          </nav>
        )}
        <div className={styles.who}>
          {me !== null && isSignedIn && (
            <>
              {me.key.mode === 'test' && (
                <span title={t.common.testModeHint}>
                  <Badge tone="risky">{t.common.testMode}</Badge>
                </span>
              )}
              <span className={styles.team} title={me.team.name}>
                {me.team.name}
              </span>
            </>
          )}
          <AppMenu isSignedIn={isSignedIn} />
        </div>
      </div>
    </header>
  );
}

interface Preloaded {
  preload?: () => Promise<unknown>;
}

/** In the place of a page that failed, such as one whose script could not be loaded. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const t = useTexts();
  const router = useRouter();
  const retry = async () => {
    // The script of a page that failed to load is requested again only by its `preload`.
    const pages = router.state.matches.map(({ routeId }) => router.routesById[routeId].options.component);
    await Promise.all(pages.map(async (page) => (page as Preloaded | undefined)?.preload?.()));
    reset();
    await router.invalidate();
  };
  return (
    <Card>
      <h1>{t.common.pageFailed}</h1>
      <p>{t.common.pageFailedHint}</p>
      <p className={ui.muted}>{error instanceof Error ? error.message : String(error)}</p>
      <div className={ui.row}>
        <Button variant="primary" onClick={retry}>
          {t.common.retry}
        </Button>
        <Button onClick={() => location.reload()}>{t.common.reload}</Button>
      </div>
    </Card>
  );
}

export function NotFound() {
  const t = useTexts();
  return (
    <Empty title={t.common.notFound}>
      <Link to="/">{t.nav.verify}</Link>
    </Empty>
  );
}
