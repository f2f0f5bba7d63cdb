import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { jobQuery } from '../api/queries';
import { useTexts } from '../texts/texts';
import { useReasonOf } from '../ui/form';
import { notice, useNotice, type Notice } from '../ui/notice';
import { Button } from '../ui/ui';
import styles from './layout.module.css';

/** A live region announces what is put into it, so it is always there. */
export function NoticeLine() {
  const shown = useNotice();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const job = shown !== null && 'job' in shown ? shown.job : null;
  // Of another team since, the list is not found.
  const isFound = useQuery({ ...jobQuery(job ?? ''), enabled: job !== null }).isSuccess;
  // Who has opened the list knows it.
  useEffect(() => {
    if (job !== null && path.endsWith(job)) notice.set(null);
  }, [job, path]);
  // What was done on a page is undone there.
  const before = useRef(path);
  useEffect(() => {
    const now = notice.get();
    const stays = now !== null && 'undo' in now && now.at !== undefined && path.endsWith(now.at);
    if (before.current !== path && !stays) notice.endUndo();
    before.current = path;
  }, [path]);
  useEffect(() => () => notice.endUndo(), []);
  return (
    <div role="status" className={styles.notice}>
      {shown !== null && (job === null || isFound) && <Line shown={shown} />}
    </div>
  );
}

function Line({ shown }: { shown: Notice }) {
  const t = useTexts();
  return (
    <p>
      {'job' in shown ? (
        <Link to="/lists/$id" params={{ id: shown.job }}>
          {shown.text}
        </Link>
      ) : (
        <Undo key={shown.text} {...shown} />
      )}{' '}
      <Button small variant="quiet" aria-label={t.common.close} onClick={() => notice.set(null)}>
        ✕
      </Button>
    </p>
  );
}

function Undo({ text, undo }: Extract<Notice, { undo: unknown }>) {
  const t = useTexts();
  const reasonOf = useReasonOf();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await undo();
      notice.endUndo();
      // The button is gone.
      document.getElementById('main')?.focus({ preventScroll: true });
    } catch (caught) {
      setError(caught);
      setIsBusy(false);
    }
  };
  return (
    <>
      {text}{' '}
      <Button small disabled={isBusy} onClick={act}>
        {t.common.undo}
      </Button>
      {error !== null && ` ${reasonOf(error)}`}
    </>
  );
}
