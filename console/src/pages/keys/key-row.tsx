import { useRef } from 'react';
import type { Me, Schemas } from '../../api/client';
import { useIsLive, useMay } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { Ago } from '../../ui/ago';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { Untrusted } from '../../ui/untrusted';
import { Badge, CopyButton, styles, type Tone } from '../../ui/ui';
import { KeyLimits } from './key-limits';

type Key = Schemas['Key'];
export type KeyAction = 'html' | 'rename' | 'rotate' | 'revoke';

/** Whose key it is, in words. */
export function ownerOf(
  { user_id: id }: Key,
  { team }: Me,
  { ofTeam, ofFormer }: { ofTeam: string; ofFormer: string },
): string {
  if (id === null) return ofTeam;
  return team.members.find(({ user_id: member }) => member === id)?.email ?? ofFormer;
}

export function KeyRow({
  me,
  apiKey,
  onAction,
}: {
  me: Me;
  apiKey: Key;
  onAction: (action: KeyAction) => void;
}) {
  const t = useTexts(teamEn);
  const whole = useRef<HTMLSpanElement>(null);
  const isLive = useIsLive();
  const isAdmin = useMay('admin');
  const isOfSession = apiKey.id === me.key.id;
  const isMine = apiKey.user_id !== null && apiKey.user_id === me.user?.id;
  const mayChange = isLive && apiKey.revoked_at === null && (isAdmin || isMine);
  const hasHtml = apiKey.key !== null && isActive(apiKey);
  // The session uses its own key until it ends.
  const mayRotate =
    isActive(apiKey) && apiKey.client === null && !isOfSession && (isMine || (apiKey.service && isAdmin));
  return (
    <tr>
      <td>
        {apiKey.name} {isOfSession && <Badge tone="accent">{t.keys.thisSession}</Badge>}{' '}
        {apiKey.mode === 'test' && <Badge tone="risky">{t.keys.test}</Badge>}{' '}
        {apiKey.service && <Badge>{t.keys.serviceBadge}</Badge>} <KeyLimits apiKey={apiKey} />
        {apiKey.client !== null && (
          <>
            <Badge>{t.keys.programBadge}</Badge>
            {apiKey.client.verified && (
              <div className={styles.muted}>
                <Untrusted text={new URL(apiKey.client.id).host} />
              </div>
            )}
          </>
        )}
        {apiKey.kind === 'publishable' && (
          <>
            <Badge>{t.keys.publishableBadge}</Badge>
            {apiKey.allowed_origins?.map((origin) => (
              <div key={origin} className={`${styles.muted} ${styles.whole}`}>
                {origin}
              </div>
            ))}
          </>
        )}
      </td>
      <td>
        {hasHtml ? (
          <>
            <code className={styles.whole}>
              {apiKey.prefix}…{apiKey.last4}
            </code>{' '}
            {/* Selected and copied where the page is not encrypted: a browser has no other way there. */}
            <span ref={whole} className={styles.visuallyHidden} aria-hidden="true">
              {apiKey.key}
            </span>
            <CopyButton text={apiKey.key ?? ''} place={whole} label={`${t.common.copy}: ${apiKey.name}`} />
          </>
        ) : (
          apiKey.client === null && (
            <code className={styles.whole}>
              {apiKey.prefix}…{apiKey.last4}
            </code>
          )
        )}
      </td>
      <td>{ownerOf(apiKey, me, t.keys)}</td>
      <td className={styles.muted}>
        <Ago at={apiKey.created_at} />
      </td>
      <td className={styles.muted}>
        {/* The service writes uses some seconds later. */}
        {isOfSession ? (
          t.keys.now
        ) : apiKey.last_used_at === null ? (
          t.common.never
        ) : (
          <Ago at={apiKey.last_used_at} />
        )}
      </td>
      <td>
        <KeyState apiKey={apiKey} />
      </td>
      <td className={styles.end}>
        {(mayChange || hasHtml) && (
          <Menu label={`${t.common.actions}: ${apiKey.name}`} button={<Icon name="more" />}>
            {hasHtml && <MenuItem onSelect={() => onAction('html')}>{t.keys.html}</MenuItem>}
            {mayChange && (
              <>
                <MenuItem onSelect={() => onAction('rename')}>{t.keys.rename}</MenuItem>
                {mayRotate && <MenuItem onSelect={() => onAction('rotate')}>{t.keys.rotate}</MenuItem>}
                <MenuItem isDangerous onSelect={() => onAction('revoke')}>
                  {t.keys.revoke}
                </MenuItem>
              </>
            )}
          </Menu>
        )}
      </td>
    </tr>
  );
}

const isExpired = ({ expires_at: at }: Key) => at !== null && new Date(at) <= new Date();
const isActive = (key: Key) => key.revoked_at === null && !isExpired(key);

function KeyState({ apiKey }: { apiKey: Key }) {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const [tone, text]: [Tone, string] =
    apiKey.revoked_at !== null
      ? ['undeliverable', t.keys.revoked]
      : isExpired(apiKey)
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
