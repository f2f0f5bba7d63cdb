import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useMe } from '../../api/queries';
import { auditEn } from '../../texts/team/audit.en';
import { useFormats, useTexts } from '../../texts/texts';
import { Button, styles } from '../../ui/ui';
import { useAuditFilter } from './audit-filter';

type Entry = Schemas['AuditEntry'];

export function AuditRow({ entry }: { entry: Entry }) {
  const t = useTexts(auditEn);
  const { time } = useFormats();
  const [filter, setFilter] = useAuditFilter();
  const actions: Readonly<Record<string, string>> = t.audit.actions;
  return (
    <tr>
      <td className={styles.whole}>{time(entry.at)}</td>
      <td>
        <Actor entry={entry} />
      </td>
      <td>
        <span className={styles.wide}>
          <Button
            small
            variant="quiet"
            title={t.audit.onlyThis}
            onClick={() => setFilter({ ...filter, action: entry.action })}
          >
            {actions[entry.action] ?? entry.action}
          </Button>{' '}
          <Subject entry={entry} />
        </span>
      </td>
      <td>
        <div className={styles.wide}>
          <Changes changes={entry.changes} />
        </div>
      </td>
    </tr>
  );
}

function Actor({ entry: { actor, action, subject } }: { entry: Entry }) {
  const t = useTexts(auditEn);
  const me = useMe();
  const [filter, setFilter] = useAuditFilter();
  // Who signs up or in has no key yet.
  const isOwn = /^account\.(signed_up|signed_in|confirmed)$/.test(action) && actor.address !== null;
  const id = actor.user_id ?? (isOwn ? subject.id : null);
  const email = me?.team.members.find((each) => each.user_id === id)?.email;
  return (
    <>
      {id === null ? (
        <span className={styles.wide}>{actor.key_id === null ? t.audit.noActor : t.audit.serviceKey}</span>
      ) : (
        <Button
          small
          variant="quiet"
          title={t.audit.onlyTheirs}
          onClick={() => setFilter({ ...filter, actor: id })}
        >
          {email ?? t.audit.formerMember}
        </Button>
      )}
      {actor.address !== null && <div className={styles.muted}>{actor.address}</div>}
    </>
  );
}

/** The name of the object, as a link where it has a page. What is gone has its id only. */
function Subject({ entry: { subject, changes } }: { entry: Entry }) {
  const me = useMe();
  const names = useNames();
  const { type, id } = subject;
  const members = me?.team.members ?? [];
  const known: Readonly<Record<string, () => ReactNode>> = {
    team: () => me?.team.name,
    tier: () => '',
    user: () => members.find(({ user_id: user }) => user === id)?.email,
    member: () => members.find((each) => each.id === id || each.user_id === changes.user_id)?.email,
    key: () => names.keys.has(id) && <Link to="/keys">{names.keys.get(id)}</Link>,
    webhook: () =>
      names.webhooks.has(id) && (
        <Link to="/webhooks/$id" params={{ id }}>
          {names.webhooks.get(id)}
        </Link>
      ),
    schedule: () =>
      names.schedules.has(id) && (
        <Link to="/schedules/$id" params={{ id }}>
          {names.schedules.get(id)}
        </Link>
      ),
    bulk_job: () => (
      <Link to="/lists/$id" params={{ id }}>
        {id}
      </Link>
    ),
  };
  const name = known[type]?.();
  return name === undefined || name === false ? <code className={styles.whole}>{id}</code> : name;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Of the newest keys, and of webhooks and schedules. */
function useNames() {
  const limit = { params: { query: { limit: 100 } } };
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: () => data(api.GET('/v1/keys', limit)),
    select: (page) => new Map(page.data.map(({ id, name }) => [id, name])),
  });
  const webhooks = useQuery({
    queryKey: ['webhooks', 'names'],
    queryFn: () => data(api.GET('/v1/webhooks', limit)),
    select: (page) => new Map(page.data.map(({ id, url }) => [id, url])),
  });
  const schedules = useQuery({
    queryKey: ['schedules', 'names'],
    queryFn: () => data(api.GET('/v1/schedules', limit)),
    select: (page) => new Map(page.data.map(({ id, name }) => [id, name])),
  });
  return {
    keys: keys.data ?? NONE,
    webhooks: webhooks.data ?? NONE,
    schedules: schedules.data ?? NONE,
  };
}

/** A changed setting has its value before and after. */
function Changes({ changes }: { changes: Entry['changes'] }) {
  return Object.entries(sidesOf(changes)).map(([name, value]) => (
    <div key={name}>
      {name !== '' && `${name}: `}
      {isChange(value) ? (
        <>
          <del>{textOf(value.from)}</del> → {textOf(value.to)}
        </>
      ) : (
        textOf(value)
      )}
    </div>
  ));
}

const sidesOf = (changes: Entry['changes']): Record<string, unknown> =>
  isChange(changes) ? { '': changes } : changes;

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

const textOf = (value: unknown) =>
  value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
