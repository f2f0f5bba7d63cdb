import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { Tabs } from '../../ui/tabs';
import { Badge, styles } from '../../ui/ui';
import { Audit } from './audit';
import { Blocklist } from './blocklist';
import { DisposableOverrides } from './disposable-overrides';
import { Members } from './members';
import { useTitle } from '../../ui/use-title';

const route = getRouteApi('/team');

/** Shows only actions that the role permits. */
export function TeamPage() {
  const t = useTexts(teamEn);
  useTitle(t.team.title);
  const me = useMe();
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const isOwner = useMay('owner');
  const isAdmin = useMay('admin');
  const isLive = useIsLive();
  if (me === null) return null;
  const tabs = [
    { id: 'members', label: t.team.tabs.members, content: <Members /> },
    { id: 'blocklist', label: t.team.tabs.blocklist, content: <Blocklist /> },
    ...(isOwner
      ? [{ id: 'disposable', label: t.team.tabs.disposable, content: <DisposableOverrides /> }]
      : []),
    ...(isAdmin ? [{ id: 'audit', label: t.team.tabs.audit, content: <Audit /> }] : []),
  ];
  return (
    <div className={styles.stack}>
      <PageHead
        title={me.team.name}
        badges={
          <>
            <Badge tone="accent">{me.team.tier}</Badge>
            <Badge>{t.common.role[me.role]}</Badge>
          </>
        }
      />
      {!isLive && <p className={styles.muted}>{t.team.testKey}</p>}
      <Tabs
        label={t.team.title}
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? (tab ?? 'members') : 'members'}
        onChange={(id) => void navigate({ to: '/team', search: { tab: id }, replace: true })}
      />
    </div>
  );
}
