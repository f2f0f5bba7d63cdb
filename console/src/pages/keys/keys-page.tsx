import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { dropKey } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { PageHead } from '../../ui/page-head';
import { ResourceTable } from '../../ui/resource-table';
import { Badge, Button, styles, type Tone } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';

type Key = Schemas['Key'];

export function KeysPage() {
  const t = useTexts(teamEn);
  useTitle(t.keys.title);
  const { date, time } = useFormats();
  const me = useMe();
  const isLive = useIsLive();
  const isAdmin = useMay('admin');
  const client = useQueryClient();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [rotating, setRotating] = useState<Key | null>(null);
  if (me === null) return null;
  const isMine = (key: Key) => key.user_id !== null && key.user_id === me.user?.id;
  // The session uses its own key until it ends.
  const mayRotate = (key: Key) =>
    isActive(key) && key.id !== me.key.id && (isMine(key) || (key.service && isAdmin));
  const mayRevoke = (key: Key) => key.revoked_at === null && (isAdmin || isMine(key));
  const revoke = async (key: Key) => {
    await api.DELETE('/v1/keys/{id}', { params: { path: { id: key.id } } });
    if (key.id === me.key.id) dropKey();
    else await client.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <div className={styles.stack}>
      <PageHead title={t.keys.title} intro={t.keys.intro}>
        {isLive &&
          (me.user === null ? (
            <span className={styles.muted}>{t.keys.noUser}</span>
          ) : (
            <Button variant="primary" onClick={() => setIsCreating(true)}>
              {t.keys.create}
            </Button>
          ))}
      </PageHead>
      {!isLive && <p className={styles.muted}>{t.team.testKey}</p>}
      <ResourceTable
        queryKey={['keys']}
        load={(query) => data(api.GET('/v1/keys', { params: { query } }))}
        label={t.keys.title}
        head={[t.keys.name, t.keys.key, t.keys.lastUsed, t.common.status, '']}
      >
        {(key) => (
          <tr key={key.id}>
            <td>
              {key.name} {key.id === me.key.id && <Badge tone="accent">{t.keys.thisSession}</Badge>}{' '}
              {key.service && <Badge>{t.keys.serviceBadge}</Badge>}{' '}
              {key.kind === 'publishable' && (
                <>
                  <Badge>{t.keys.publishableBadge}</Badge>
                  <div className={styles.muted}>{key.allowed_origins?.join(', ')}</div>
                </>
              )}
            </td>
            <td>
              <code className={styles.whole}>
                {key.prefix}…{key.last4}
              </code>
            </td>
            <td className={styles.muted}>
              {key.last_used_at === null ? t.common.never : time(key.last_used_at)}
            </td>
            <td>
              <KeyState apiKey={key} date={date} />
            </td>
            <td className={styles.end}>
              {isLive && (mayRotate(key) || mayRevoke(key)) && (
                <Menu label={`${t.common.actions}: ${key.name}`} button={<Icon name="more" />}>
                  {mayRotate(key) && <MenuItem onSelect={() => setRotating(key)}>{t.keys.rotate}</MenuItem>}
                  {mayRevoke(key) && (
                    <MenuItem isDangerous onSelect={() => setRevoking(key)}>
                      {t.keys.revoke}
                    </MenuItem>
                  )}
                </Menu>
              )}
            </td>
          </tr>
        )}
      </ResourceTable>
      {isCreating && <NewKeyDialog onClose={() => setIsCreating(false)} />}
      {rotating !== null && <RotateKeyDialog rotated={rotating} onClose={() => setRotating(null)} />}
      {revoking !== null && (
        <ConfirmDialog
          title={t.keys.revoke}
          question={
            revoking.id === me.key.id ? t.keys.revokeOwnAsk(revoking.name) : t.keys.revokeAsk(revoking.name)
          }
          confirm={t.keys.revoke}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
        />
      )}
    </div>
  );
}

const isActive = ({ revoked_at: revokedAt, expires_at: expiresAt }: Key) =>
  revokedAt === null && (expiresAt === null || new Date(expiresAt) > new Date());

function KeyState({ apiKey, date }: { apiKey: Key; date: (iso: string) => string }) {
  const t = useTexts(teamEn);
  const expired = apiKey.expires_at !== null && new Date(apiKey.expires_at) <= new Date();
  const [tone, text]: [Tone, string] =
    apiKey.revoked_at !== null
      ? ['undeliverable', t.keys.revoked]
      : expired
        ? ['risky', t.keys.expired]
        : ['deliverable', t.keys.active];
  return (
    <span className={styles.row}>
      <Badge tone={tone}>{text}</Badge>
      {tone === 'deliverable' && apiKey.expires_at !== null && (
        <span className={styles.muted}>
          {t.team.expires} {date(apiKey.expires_at)}
        </span>
      )}
    </span>
  );
}
