import { BASE } from '../api/connection';
import { useMe } from '../api/queries';
import { signOut, useOtherTeams } from '../api/session';
import { setLanguage, useLanguage, useTexts, type Language } from '../texts/texts';
import { setTheme, useTheme, type Theme } from '../theme';
import { Menu, MenuGroup, MenuItem, MenuLink, MenuNote, MenuRadio } from '../ui/menu';
import { Icon } from '../ui/icons';

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function AppMenu({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTexts();
  const me = useMe();
  const theme = useTheme();
  const language = useLanguage();
  const hasOthers = useOtherTeams(me?.team.id).length > 0;
  return (
    <Menu label={t.menu.label} button={<Icon name="menu" />}>
      {isSignedIn && me !== null && (
        <MenuNote>
          {me.user?.email ?? me.key.name} · {t.common.role[me.role]}
        </MenuNote>
      )}
      <MenuGroup label={t.menu.theme}>
        {THEMES.map((value) => (
          <MenuRadio key={value} isChecked={theme === value} onSelect={() => setTheme(value)}>
            {t.menu[value]}
          </MenuRadio>
        ))}
      </MenuGroup>
      <MenuGroup label={t.menu.language}>
        {(Object.keys(LANGUAGES) as Language[]).map((value) => (
          <MenuRadio
            key={value}
            lang={value}
            isChecked={language === value}
            onSelect={() => void setLanguage(value).catch(() => undefined)}
          >
            {LANGUAGES[value]}
          </MenuRadio>
        ))}
      </MenuGroup>
      <MenuLink href={`${BASE}docs`} target="_blank" rel="noreferrer">
        {t.menu.docs}
      </MenuLink>
      {isSignedIn && <MenuItem onSelect={signOut}>{hasOthers ? t.menu.signOutAll : t.menu.signOut}</MenuItem>}
    </Menu>
  );
}
