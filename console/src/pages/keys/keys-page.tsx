import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type Me, type Schemas } from '../../api/client';
import { useIsLive, useMe } from '../../api/queries';
import { dropKey } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { PageHead } from '../../ui/page-head';
import { ResourceTable } from '../../ui/resource-table';
import { Button, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { HtmlDialog } from './html-dialog';
import { KeyRow, ownerOf, type KeyAction } from './key-row';
import { NewKeyDialog } from './new-key-dialog';
import { RenameKeyDialog } from './rename-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';

type Key = Schemas['Key'];
const route = getRouteApi('/keys');

export function KeysPage() {
  const t = useTexts(teamEn);
  useTitle(t.keys.title);
  const me = useMe();
  const isLive = useIsLive();
  const navigate = useNavigate();
  const { new: kind } = route.useSearch();
  const [open, setOpen] = useState<{ apiKey: Key; action: KeyAction } | null>(null);
  if (me === null) return null;
  const mayCreate = isLive && me.user !== null;
  // Back closes the dialog, and a link can open it.
  const openNew = () => void navigate({ to: '/keys', search: { new: 'secret' } });
  const closeNew = () => void navigate({ to: '/keys', search: {}, replace: true });
  return (
    <div className={styles.stack}>
      <PageHead title={t.keys.title} intro={t.keys.intro}>
        {isLive &&
          (mayCreate ? (
            <Button variant="primary" onClick={openNew}>
              {t.keys.create}
            </Button>
          ) : (
            <span className={styles.muted}>{t.keys.noUser}</span>
          ))}
      </PageHead>
      {!isLive && <p className={styles.muted}>{t.team.testKey}</p>}
      <ResourceTable
        queryKey={['keys']}
        load={(query) => data(api.GET('/v1/keys', { params: { query } }))}
        label={t.keys.title}
        head={[
          t.keys.name,
          t.keys.key,
          t.keys.owner,
          t.common.createdAt,
          t.keys.lastUsed,
          t.common.status,
          '',
        ]}
      >
        {(key) => (
          <KeyRow key={key.id} me={me} apiKey={key} onAction={(action) => setOpen({ apiKey: key, action })} />
        )}
      </ResourceTable>
      {kind !== undefined && mayCreate && <NewKeyDialog kind={kind} onClose={closeNew} />}
      {open !== null && <ActionDialog me={me} {...open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function ActionDialog({
  me,
  apiKey,
  action,
  onClose,
}: {
  me: Me;
  apiKey: Key;
  action: KeyAction;
  onClose: () => void;
}) {
  if (action === 'html') return <HtmlDialog apiKey={apiKey} onClose={onClose} />;
  if (action === 'rename') return <RenameKeyDialog renamed={apiKey} onClose={onClose} />;
  if (action === 'rotate') return <RotateKeyDialog rotated={apiKey} onClose={onClose} />;
  return <RevokeDialog me={me} revoked={apiKey} onClose={onClose} />;
}

/** Names the key so that nobody stops the wrong program: keys can have the same name. */
function RevokeDialog({ me, revoked, onClose }: { me: Me; revoked: Key; onClose: () => void }) {
  const t = useTexts(teamEn);
  const client = useQueryClient();
  const isOwn = revoked.id === me.key.id;
  const revoke = async () => {
    await api.DELETE('/v1/keys/{id}', { params: { path: { id: revoked.id } } });
    if (isOwn) dropKey();
    else await client.invalidateQueries({ queryKey: ['keys'] });
  };
  const text = revoked.client === null ? `${revoked.prefix}…${revoked.last4}` : t.keys.programBadge;
  return (
    <ConfirmDialog
      title={t.keys.revoke}
      question={
        isOwn
          ? t.keys.revokeOwnAsk(revoked.name, text)
          : t.keys.revokeAsk(revoked.name, text, ownerOf(revoked, me, t.keys))
      }
      confirm={t.keys.revoke}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
