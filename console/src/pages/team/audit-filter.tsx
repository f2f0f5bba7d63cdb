import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMe } from '../../api/queries';
import { auditEn } from '../../texts/team/audit.en';
import { useTexts } from '../../texts/texts';
import { Button, Field, styles } from '../../ui/ui';

/** As in the query of the API, but days of the reader: the first and the last. Absent: any. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

type Texts = (typeof auditEn)['audit'];
type Group = keyof Texts['groups'];
export type Action = keyof Texts['actions'];

/** Of the first word of an action. */
const GROUPS: Readonly<Record<string, Group>> = {
  account: 'accounts',
  user: 'accounts',
  team: 'team',
  billing: 'team',
  member: 'members',
  invite: 'members',
  key: 'keys',
  bulk: 'lists',
  schedule: 'lists',
  webhook: 'webhooks',
  source: 'outcomes',
  blocklist: 'domains',
  disposable: 'domains',
};

const route = getRouteApi('/team');

/** The filter is in the address, so that a reload keeps it and a link can show it. */
export function useAuditFilter(): [filter: AuditFilter, set: (filter: AuditFilter) => void] {
  const filter = without(route.useSearch(), 'tab');
  const navigate = useNavigate();
  const set = (next: AuditFilter) =>
    void navigate({ to: '/team', search: { tab: 'audit', ...next }, resetScroll: false });
  return [filter, set];
}

export function AuditFilters() {
  const t = useTexts(auditEn);
  const me = useMe();
  const [filter, setFilter] = useAuditFilter();
  const { actor = '', action = '', from = '', to = '' } = filter;
  const set =
    (name: keyof AuditFilter) =>
    ({ target: { value } }: { target: { value: string } }) => {
      setFilter(value === '' ? without(filter, name) : { ...filter, [name]: value });
    };
  const members = me?.team.members ?? [];
  const isFormer = actor !== '' && members.every(({ user_id: id }) => id !== actor);
  return (
    <div className={styles.row}>
      <Field label={t.audit.who}>
        {(props) => (
          <select {...props} value={actor} onChange={set('actor')}>
            <option value="">{t.audit.anybody}</option>
            {members.map(({ user_id: id, email }) => (
              <option key={id} value={id}>
                {email}
              </option>
            ))}
            {isFormer && <option value={actor}>{`${t.audit.formerMember} (${actor})`}</option>}
          </select>
        )}
      </Field>
      <Field label={t.audit.action}>
        {(props) => (
          <select {...props} value={action} onChange={set('action')}>
            <option value="">{t.audit.anything}</option>
            {(Object.keys(t.audit.groups) as Group[]).map((group) => (
              <optgroup key={group} label={t.audit.groups[group]}>
                {actionsOf(group, t.audit).map((each) => (
                  <option key={each} value={each}>
                    {t.audit.actions[each].replace(/:$/, '')}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.audit.from}>
        {(props) => <input {...props} type="date" value={from} onChange={set('from')} />}
      </Field>
      <Field label={t.audit.to}>
        {(props) => <input {...props} type="date" value={to} onChange={set('to')} />}
      </Field>
      {Object.keys(filter).length > 0 && (
        <Button variant="quiet" onClick={() => setFilter({})}>
          {t.audit.all}
        </Button>
      )}
    </div>
  );
}

const without = <T extends object>(all: T, name: keyof T) =>
  Object.fromEntries(Object.entries(all).filter(([each]) => each !== name)) as T;

const actionsOf = (group: Group, { actions }: Texts) =>
  (Object.keys(actions) as Action[]).filter((each) => GROUPS[each.split('.')[0] ?? ''] === group);

export function queryOf({ actor, action, from, to }: AuditFilter): Record<string, string> {
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(isDay(from) && { from: startOf(from, 0) }),
    ...(isDay(to) && { to: startOf(to, 1) }),
  };
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(`${text}T00:00:00`));

/** Midnight of a day, or of a later one. */
function startOf(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
