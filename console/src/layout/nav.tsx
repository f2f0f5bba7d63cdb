import { Link, useRouterState } from '@tanstack/react-router';
import { useMe } from '../api/queries';
import { useTexts } from '../texts/texts';
import { Icon } from '../ui/icons';
import { Menu, useMenuLink } from '../ui/menu';
import styles from './layout.module.css';

/** A narrow window has a link for the pages that `isFirst`, and a menu for the others. */
const GROUPS = [
  {
    label: null,
    pages: [
      { to: '/', name: 'verify', icon: 'check', isFirst: true },
      { to: '/lists', name: 'lists', icon: 'list', isFirst: true },
      { to: '/schedules', name: 'schedules', icon: 'clock', isFirst: false },
      { to: '/outcomes', name: 'outcomes', icon: 'mail', isFirst: false },
      { to: '/policy', name: 'policy', icon: 'choose', isFirst: false },
    ],
  },
  {
    label: 'developers',
    pages: [
      { to: '/keys', name: 'keys', icon: 'key', isFirst: true },
      { to: '/webhooks', name: 'webhooks', icon: 'hook', isFirst: false },
      { to: '/requests', name: 'requests', icon: 'log', isFirst: false },
    ],
  },
  {
    label: 'administration',
    pages: [
      { to: '/usage', name: 'usage', icon: 'chart', isFirst: true },
      { to: '/team', name: 'team', icon: 'team', isFirst: false },
      { to: '/system', name: 'system', icon: 'pulse', isFirst: false },
    ],
  },
] as const;

type Page = (typeof GROUPS)[number]['pages'][number];

export const PAGES = GROUPS.flatMap((group): readonly Page[] => group.pages);

export function Nav() {
  const t = useTexts();
  const isShown = useIsShown();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isInMore = PAGES.some(({ to, isFirst }) => !isFirst && path.startsWith(to));
  return (
    <nav className={styles.nav} aria-label={t.nav.main}>
      {GROUPS.map(({ label, pages }) => (
        <div key={label} className={styles.group}>
          {label !== null && <p className={styles.groupLabel}>{t.nav[label]}</p>}
          {pages.filter(isShown).map(({ to, name, icon, isFirst }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              className={isFirst ? styles.link : `${styles.link} ${styles.wide}`}
            >
              <Icon name={icon} />
              {t.nav[name]}
            </Link>
          ))}
        </div>
      ))}
      <Menu
        label={t.nav.more}
        isCurrent={isInMore}
        className={`${styles.link} ${styles.narrow}`}
        button={
          <>
            <Icon name="more" />
            {t.nav.more}
          </>
        }
      >
        <More />
      </Menu>
    </nav>
  );
}

function More() {
  const t = useTexts();
  const isShown = useIsShown();
  const link = useMenuLink();
  return PAGES.filter((page) => !page.isFirst && isShown(page)).map(({ to, name, icon }) => (
    <Link key={to} to={to} {...link}>
      <Icon name={icon} />
      {t.nav[name]}
    </Link>
  ));
}

/** Pages that the person may open. */
export function useIsShown(): (page: Page) => boolean {
  const me = useMe();
  return ({ name }) => name !== 'system' || me?.operator === true;
}
