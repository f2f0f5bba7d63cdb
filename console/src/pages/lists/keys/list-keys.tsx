import { useEffect, useState } from 'react';
import { keyboardEn } from '../../../texts/keyboard.en';
import { useTexts } from '../../../texts/texts';
import { Dialog } from '../../../ui/dialog';
import { Check } from '../../../ui/ui';
import { COMMAND_KEYS } from '../../../ui/keys/command-keys';
import css from './keys.module.css';
import { setHasKeys, useHasKeys } from '../../../ui/keys/use-has-keys';

/** Elements of rows to which `j` and `k` move the focus have this attribute. */
export const ROW = { 'data-row': '' };
/** Of the field that `/` leads to. */
export const SEARCH = { 'data-search': '', 'aria-keyshortcuts': '/' };

/** The keys of a page with a table, and a button that shows them. */
export function ListKeys() {
  const t = useTexts(keyboardEn);
  const isOn = useHasKeys();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const act = (event: KeyboardEvent) => {
      if (!isFree(event)) return;
      const { key } = event;
      if (key === '?') setIsShown(true);
      else if (key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [isOn]);
  return (
    <>
      <button
        type="button"
        className={css.button}
        aria-label={t.keyboard.title}
        title={t.keyboard.title}
        onClick={() => setIsShown(true)}
      >
        ?
      </button>
      {isShown && (
        <Dialog title={t.keyboard.title} onClose={() => setIsShown(false)}>
          <dl className={css.keys}>
            {[...t.keyboard.keys, [COMMAND_KEYS, t.keyboard.commands] as const].map(([key, text]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <Check
            label={t.keyboard.use}
            checked={isOn}
            onChange={({ target }) => setHasKeys(target.checked)}
          />
        </Dialog>
      )}
    </>
  );
}

const TYPING = 'input, select, textarea, [contenteditable]';
const OPEN = 'dialog[open], [popover]:popover-open';

/** Nobody types, and no dialog or menu is open. */
function isFree({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.matches(TYPING)) && document.querySelector(OPEN) === null;
}

function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at === -1 ? 0 : at + step]?.focus();
}
