import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { dropKey } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { ResourceTable } from '../../ui/resource-table';
import { Badge, Button, styles, type Tone } from '../../ui/ui';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';

type Key = Schemas['Key'];

export function Keys() {
  const t = useTexts(teamEn);
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
  const revoke = async (key: Key) => {
    await api.DELETE('/v1/keys/{id}', { params: { path: { id: key.id } } });
    if (key.id === me.key.id) dropKey();
    else await client.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <div className={styles.stack}>
      <div className={`${styles.row} ${styles.between}`}>
        <p className={styles.muted}>{t.keys.intro}</p>
        {isLive &&
          (me.user === null ? (
            <span className={styles.muted}>{t.keys.noUser}</span>
          ) : (
            <Button variant="primary" onClick={() => setIsCreating(true)}>
              {t.keys.create}
            </Button>
          ))}
      </div>
      <ResourceTable
        queryKey={['keys']}
        load={(query) => data(api.GET('/v1/keys', { params: { query } }))}
        label={t.team.tabs.keys}
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
              <code>
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
              {isLive && mayRotate(key) && (
                <>
                  <Button small aria-label={`${t.keys.rotate}: ${key.name}`} onClick={() => setRotating(key)}>
                    {t.keys.rotate}
                  </Button>{' '}
                </>
              )}
              {isLive && key.revoked_at === null && (isAdmin || isMine(key)) && (
                <Button small aria-label={`${t.keys.revoke}: ${key.name}`} onClick={() => setRevoking(key)}>
                  {t.keys.revoke}
                </Button>
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
