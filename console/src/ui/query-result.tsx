import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError, ConnectionLost } from '../api/problem';
import { useIsLive, useMay } from '../api/queries';
import { useTexts } from '../texts/texts';
import { useOtherErrors } from './form';
import { Button, styles } from './ui';
import { UpgradeButton, useUpgrade } from './upgrade-button';

/** A loading indicator is shown only after this time. */
const SILENT_MS = 150;

export function Loading({ children }: { children?: ReactNode }) {
  const t = useTexts();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), SILENT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (children === undefined)
    return (
      <div className={styles.skeleton} role="status">
        {isShown && <p className={styles.visuallyHidden}>{t.common.loading}</p>}
        {isShown && Array.from({ length: 6 }, (_, index) => <span key={index} />)}
      </div>
    );
  return (
    <p className={styles.muted} role="status">
      {isShown ? children : ''}
    </p>
  );
}

/** Details that say the same as the titles of their problems, in other words. */
const REPEATED = new Set(['The daily quota is used up.']);

/** Whether the detail says more than the title, which is shown in the reader's language. */
function saysMore({ message }: Error, title: string | undefined): boolean {
  return !REPEATED.has(message) && message.replace(/\.$/, '') !== title;
}

/** The message of a problem, with a hint and a retry button. */
export function ErrorNote({
  error,
  onRetry,
  isQuery = false,
  detail,
}: {
  error: Error | null;
  onRetry?: (() => unknown) | undefined;
  /** In the reader's language, instead of the words of the API; empty: the title says enough. */
  detail?: string | undefined;
  /** Of a query, which is repeated by itself once the service answers again. */
  isQuery?: boolean;
}) {
  const t = useTexts();
  const left = useSecondsLeft(error);
  const others = useOtherErrors(error);
  if (error === null) return null;
  // All errors stand at their fields.
  if (error instanceof ApiError && error.problem.errors?.length && others.length === 0) return null;
  const refusal = error instanceof ApiError ? error : null;
  const required = refusal?.problem.required_tier;
  // What is read is read again by itself, as the line at the top of the page says; what was sent is not.
  const isRepeated = error instanceof ConnectionLost && isQuery;
  const waiting = refusal?.code === 'daily_quota_exceeded' ? t.common.quotaResets : t.common.wait;
  return (
    <div className={styles.error} role="alert">
      <strong>{t.problem[refusal?.code ?? ''] ?? refusal?.problem.title ?? t.common.error}</strong>
      {detail && <p>{detail}</p>}
      {/* The errors of fields say the same; the API speaks English. */}
      {detail === undefined &&
        !refusal?.problem.errors?.length &&
        saysMore(error, refusal?.problem.title) &&
        !isRepeated && <Detail error={error} isTranslated={t.problem[refusal?.code ?? ''] !== undefined} />}
      {others.map(({ pointer, message }) => (
        <p key={pointer} lang="en">
          {pointer === '' ? message : t.forms.member(pointer.slice(1).replaceAll(/[_/]/g, ' '), message)}
        </p>
      ))}
      {typeof required === 'string' && <Upgrade tier={required} />}
      {refusal !== null && refusal.retryAfter !== null && (
        <p>{left > 0 ? waiting(t.verify.age(left)) : ''}</p>
      )}
      {refusal !== null && refusal.requestId !== null && (
        <p className={styles.muted}>
          {t.common.requestId} <code>{refusal.requestId}</code>
        </p>
      )}
      {onRetry && (
        <div>
          <Button small disabled={left > 0} onClick={() => void onRetry()}>
            {t.common.retry}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What the API says about this case. @param isTranslated the title is in the reader's language. */
function Detail({ error, isTranslated }: { error: Error; isTranslated: boolean }) {
  const t = useTexts();
  if (error instanceof ConnectionLost) return <p>{t.common.unsent}</p>;
  const text = <p lang={error instanceof ApiError ? 'en' : undefined}>{error.message}</p>;
  // Two languages in one message look like a fault. It can have a number or a name that nothing else has.
  if (!isTranslated) return text;
  return (
    <details>
      <summary>{t.common.inEnglish}</summary>
      {text}
    </details>
  );
}

/** Which tier is required, and the way to it. */
function Upgrade({ tier }: { tier: string }) {
  const t = useTexts();
  const may = useMay('admin') && useIsLive();
  const upgrade = useUpgrade();
  return (
    <>
      <p>{t.common.upgrade(tier)}</p>
      {may && (
        <div>
          <UpgradeButton tier={tier} label={t.common.upgradeTo(tier)} upgrade={upgrade} variant="primary" />
        </div>
      )}
      <ErrorNote error={upgrade.error} />
    </>
  );
}

/** Until a retry may succeed. */
function useSecondsLeft(error: Error | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(error instanceof ApiError ? (error.retryAfter ?? 0) : 0);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

/** The data of a query, or its loading state or error. */
export function QueryResult<T>({
  query,
  title,
  children,
}: {
  query: UseQueryResult<T>;
  /** Of a page whose title is in its data: a page without data has this one. */
  title?: string;
  children: (data: NonNullable<T>) => ReactNode;
}) {
  const { data, error } = query;
  if (data !== undefined && data !== null) return <>{children(data)}</>;
  if (error === null) return <Loading />;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <>
      {title !== undefined && <h1>{title}</h1>}
      <ErrorNote error={error} onRetry={isMissing ? undefined : () => query.refetch()} isQuery />
    </>
  );
}
