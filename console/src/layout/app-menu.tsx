import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { BASE } from '../api/connection';
import { useMe } from '../api/queries';
import { signOut } from '../api/session';
import { setLanguage, useLanguage, useTexts, type Language } from '../texts/texts';
import { setTheme, useTheme, type Theme } from '../theme';
import { Button, styles } from '../ui/ui';
import { Icon } from '../ui/icons';

const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** A menu with the keys of the ARIA practices, in a popover of HTML: the browser closes it outside. */
export function AppMenu({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTexts();
  const me = useMe();
  const theme = useTheme();
  const language = useLanguage();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const close = () => menu.current?.hidePopover();
  const onKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') close();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  const radio = (name: string, isChecked: boolean, choose: () => void, lang?: string) => (
    <button
      key={name}
      role="menuitemradio"
      aria-checked={isChecked}
      tabIndex={-1}
      lang={lang}
      className={styles.menuItem}
      onClick={() => {
        choose();
        close();
      }}
    >
      {name}
    </button>
  );
  return (
    <div className={styles.menuPlace}>
      <Button
        small
        aria-label={t.menu.label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={(event) => event.key === 'ArrowDown' && menu.current?.showPopover()}
      >
        <Icon name="menu" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={t.menu.label}
        className={styles.menu}
        onKeyDown={onKey}
        onToggle={({ newState }) => {
          setIsOpen(newState === 'open');
          if (newState === 'open') items()[0]?.focus();
        }}
      >
        {isSignedIn && me !== null && (
          <div className={styles.menuLabel} role="presentation">
            {me.user?.email ?? me.key.name} · {t.common.role[me.role]}
          </div>
        )}
        <Group label={t.menu.theme}>
          {THEMES.map((value) => radio(t.menu[value], theme === value, () => setTheme(value)))}
        </Group>
        <Group label={t.menu.language}>
          {(Object.keys(LANGUAGES) as Language[]).map((value) =>
            radio(
              LANGUAGES[value],
              language === value,
              () => void setLanguage(value).catch(() => undefined),
              value,
            ),
          )}
        </Group>
        <a
          role="menuitem"
          tabIndex={-1}
          className={styles.menuItem}
          href={`${BASE}docs`}
          target="_blank"
          rel="noreferrer"
          onClick={close}
        >
          {t.menu.docs}
        </a>
        {isSignedIn && (
          <button role="menuitem" tabIndex={-1} className={styles.menuItem} onClick={signOut}>
            {t.menu.signOut}
          </button>
        )}
      </div>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={styles.menuGroup}>
      <div id={id} className={styles.menuLabel}>
        {label}
      </div>
      {children}
    </div>
  );
}
