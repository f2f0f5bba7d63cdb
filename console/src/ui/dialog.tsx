import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTexts } from '../texts/texts';
import { ErrorNote } from './query-result';
import { Button, styles } from './ui';

/**
 * The dialog of HTML: the browser keeps the focus inside, closes it with Escape and gives the focus back.
 * Dialogs of libraries lock scrolling with an inline style sheet, which the content security policy forbids.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <div className={styles.dialogBody}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  question,
  confirm,
  onConfirm,
  onClose,
}: {
  title: string;
  question: string;
  confirm: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useTexts();
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const act = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(caught as Error);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{question}</p>
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button variant="danger" onClick={act} disabled={isBusy}>
          {isBusy ? t.common.working : confirm}
        </Button>
      </div>
    </Dialog>
  );
}
