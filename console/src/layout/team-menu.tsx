import { Suspense, useState } from 'react';
import type { Me } from '../api/client';
import { switchTeam, useOtherTeams, type TeamName } from '../api/session';
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
  const isTwice = (name: string) => [team, ...others].filter((each) => each.name === name).length > 1;
  /** Of two with one name, the end of the id tells which is which: owner and tier can be the same, too. */
  const nameOf = ({ id, name }: TeamName) => (isTwice(name) ? `${name} (…${id.slice(-4)})` : name);
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
            {nameOf(team)}
          </MenuRadio>
          {others.map(({ id, name }) => (
            <MenuRadio key={id} isChecked={false} onSelect={() => switchTeam(id, team)}>
              {nameOf({ id, name })}
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
