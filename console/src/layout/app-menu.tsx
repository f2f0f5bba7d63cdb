import * as Menu from '@radix-ui/react-dropdown-menu';
import { BASE } from '../api/connection';
import { useMe } from '../api/queries';
import { signOut } from '../api/session';
import { setLanguage, useLanguage, useTexts, type Language } from '../texts/texts';
import { setTheme, useTheme, type Theme } from '../theme';
import { Button, styles } from '../ui/ui';
import { Icon } from './icons';

/** Not modal: a modal menu locks scrolling with an inline style sheet, which the content security policy forbids. */
export function AppMenu({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTexts();
  const me = useMe();
  const theme = useTheme();
  const language = useLanguage();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger asChild>
        <Button small aria-label={t.menu.label}>
          <Icon name="menu" />
        </Button>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={styles.menu} align="end" sideOffset={6}>
          {isSignedIn && me !== null && (
            <>
              <Menu.Label className={styles.menuLabel}>
                {me.user?.email ?? me.key.name} · {t.team.role[me.role]}
              </Menu.Label>
              <Menu.Separator className={styles.separator} />
            </>
          )}
          <Menu.Label className={styles.menuLabel}>{t.menu.theme}</Menu.Label>
          <Menu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
            {(['system', 'light', 'dark'] as const).map((value) => (
              <Menu.RadioItem key={value} value={value} className={styles.menuItem}>
                {t.menu[value]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Label className={styles.menuLabel}>{t.menu.language}</Menu.Label>
          <Menu.RadioGroup value={language} onValueChange={(value) => setLanguage(value as Language)}>
            <Menu.RadioItem value="en" className={styles.menuItem} lang="en">
              English
            </Menu.RadioItem>
            <Menu.RadioItem value="de" className={styles.menuItem} lang="de">
              Deutsch
            </Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Separator className={styles.separator} />
          <Menu.Item asChild>
            <a className={styles.menuItem} href={`${BASE}docs`} target="_blank" rel="noreferrer">
              {t.menu.docs}
            </a>
          </Menu.Item>
          {isSignedIn && (
            <Menu.Item className={styles.menuItem} onSelect={signOut}>
              {t.menu.signOut}
            </Menu.Item>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
