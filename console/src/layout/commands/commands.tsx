import { Suspense, useEffect, useState } from 'react';
import { lazyPage } from '../../lazy-page';
import { useTexts } from '../../texts/texts';
import { COMMAND_KEYS, isCommandKey } from '../../ui/keys/command-keys';
import { useHasKeys } from '../../ui/keys/use-has-keys';
import styles from '../layout.module.css';

export const CommandMenu = lazyPage(() => import('./command-menu'), 'CommandMenu');

/** The button and the keys of the command menu, which is loaded when it is opened. */
export function Commands() {
  const t = useTexts();
  const hasKeys = useHasKeys();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!hasKeys) return;
    const act = (event: KeyboardEvent) => {
      // Also while somebody types: it is no character. A dialog has to be answered first.
      if (!isCommandKey(event) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [hasKeys]);
  return (
    <>
      <button
        type="button"
        className={styles.commands}
        aria-haspopup="dialog"
        aria-keyshortcuts={hasKeys ? 'Control+K Meta+K' : undefined}
        onClick={() => setIsOpen(true)}
      >
        {t.menu.commands}
        {hasKeys && <kbd aria-hidden="true">{COMMAND_KEYS}</kbd>}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandMenu onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
