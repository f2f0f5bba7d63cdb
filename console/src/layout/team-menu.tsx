import { Suspense, useState } from 'react';
import type { Me } from '../api/client';
import { switchTeam, useOtherTeams } from '../api/session';
import { lazyPage } from '../lazy-page';
import { useTexts } from '../texts/texts';
import { Icon } from '../ui/icons';
import { Menu, MenuGroup, MenuItem, MenuRadio } from '../ui/menu';
import styles from './layout.module.css';

export const AddTeam = lazyPage(() => import('../pages/sign-in/add-team'), 'AddTeam');
const leaving = () => import('../pages/sign-in/sign-out-of-team');

/** The teams whose keys the session holds. */
export function TeamMenu({ team }: { team: Me['team'] }) {
  const t = useTexts();
  const others = useOtherTeams(team.id);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <Menu
        label={t.menu.team(team.name)}
        className={styles.team}
        button={
          <>
            <span className={styles.initial} data-initial={[...team.name][0]} />
            <span className={styles.teamName}>{team.name}</span>
            <Icon name="choose" size={16} />
          </>
        }
      >
        <MenuGroup label={t.menu.teams}>
          <MenuRadio isChecked onSelect={() => undefined}>
            {team.name}
          </MenuRadio>
          {others.map(({ id, name }) => (
            <MenuRadio key={id} isChecked={false} onSelect={() => switchTeam(id, team)}>
              {name}
            </MenuRadio>
          ))}
        </MenuGroup>
        <MenuItem onSelect={() => setIsAdding(true)}>{t.menu.addTeam}</MenuItem>
        {others.length > 0 && (
          <MenuItem onSelect={() => void leaving().then(({ signOutOfTeam }) => signOutOfTeam(team.id))}>
            {t.menu.signOutOf(team.name)}
          </MenuItem>
        )}
      </Menu>
      {isAdding && (
        <Suspense fallback={null}>
          <AddTeam onClose={() => setIsAdding(false)} />
        </Suspense>
      )}
    </>
  );
}
