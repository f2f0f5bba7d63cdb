import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../texts/texts';
import { ErrorNote } from './query-result';
import { Button, styles } from './ui';

/** What had the focus before the dialog. One that replaces another has the opener of the first. */
let opener: HTMLElement | null = null;

/**
 * The dialog of HTML: the browser keeps the focus inside, closes it with Escape and gives the focus back.
 * Dialogs of libraries lock scrolling with an inline style sheet, which the content security policy forbids.
 */
export function Dialog({
  title,
  action,
  isPanel = false,
  isKept = false,
  mayClose,
  onKeyDown,
  onClose,
  children,
}: {
  title: string;
  /** Beside the title. */
  action?: ReactNode;
  /** At the side of the window, over its whole height. */
  isPanel?: boolean;
  /** Only its own buttons close it: what it shows cannot be shown again. */
  isKept?: boolean;
  /** Asked before Escape or the ✕ closes it. Must have the same answer for what has not changed. */
  mayClose?: () => boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useTexts();
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) opener = activeElement;
    dialog.showModal();
    // React does not write the attribute `autofocus`. A form has its own first field.
    const first = dialog.querySelector<HTMLElement>('form input, form select, form textarea');
    (first ?? dialog.querySelector('h2'))?.focus();
    return () => {
      // React removes the dialog before the browser can give the focus back.
      queueMicrotask(() => {
        if (document.activeElement === document.body) opener?.focus();
        // The opener is gone, too.
        if (document.activeElement === document.body) document.getElementById('main')?.focus();
      });
    };
  }, []);
  useEffect(() => {
    if (!isKept) return;
    // Of the document: the focus is outside of the dialog after a click on its text.
    const keep = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && event.preventDefault();
    document.addEventListener('keydown', keep);
    return () => document.removeEventListener('keydown', keep);
  }, [isKept]);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${isPanel ? styles.sidePanel : ''}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onCancel={(event) => mayClose?.() === false && event.preventDefault()}
      onClose={onClose}
    >
      <div className={styles.dialogBody}>
        <div className={`${styles.row} ${styles.between} ${styles.dialogHead}`}>
          {/* The first thing to be read, and in view: a button below would scroll to the end. */}
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          <div className={styles.row}>
            {action}
            {!isKept && (
              <Button
                small
                variant="quiet"
                aria-label={t.common.closeDialog}
                onClick={() => mayClose?.() !== false && ref.current?.close()}
              >
                ✕
              </Button>
            )}
          </div>
        </div>
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
  cancel,
  onConfirm,
  onClose,
}: {
  title: string;
  question: string;
  confirm: string;
  /** What happens otherwise, where "Cancel" could mean both. */
  cancel?: string;
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
        <Button onClick={onClose}>{cancel ?? t.common.cancel}</Button>
        <Button variant="danger" onClick={act} disabled={isBusy}>
          {isBusy ? t.common.working : confirm}
        </Button>
      </div>
    </Dialog>
  );
}
