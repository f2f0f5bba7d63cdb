import { useState } from 'react';
import { api, data, open, type Schemas } from '../../api/client';
import { useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { ResourceTable } from '../../ui/resource-table';
import { saveFile } from '../../ui/save-file';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Button, Empty, Field, styles } from '../../ui/ui';

type Entry = Schemas['AuditEntry'];

/** As in the query of the API. Empty: any. */
interface Filter {
  actor: string;
  action: string;
  /** The first day, and the last one, in the zone of the reader. */
  from: string;
  to: string;
}

const ANY: Filter = { actor: '', action: '', from: '', to: '' };

/** Who changed what in the team. */
export function Audit() {
  const t = useTexts(teamEn);
  const [filter, setFilter] = useState(ANY);
  const query = queryOf(filter);
  const save = useApiMutation(async () => {
    const response = await open(`v1/audit?${new URLSearchParams(query)}`, 'text/csv');
    saveFile(await response.blob(), 'audit.csv');
  }, []);
  return (
    <div className={styles.stack}>
      <p className={styles.muted}>{t.audit.intro}</p>
      <Filters filter={filter} onChange={setFilter} />
      <div className={styles.row}>
        <Button disabled={save.isPending} onClick={() => save.mutate(undefined)}>
          {t.audit.download}
        </Button>
      </div>
      <ErrorNote error={save.error} />
      <ResourceTable
        queryKey={['audit', JSON.stringify(query)]}
        load={(page) =>
          data(api.GET('/v1/audit', { params: { query: { ...query, ...page } } })) as Promise<
            Schemas['AuditPage']
          >
        }
        label={t.audit.title}
        head={t.audit.columns}
        empty={
          <Empty icon="log" title={t.audit.emptyTitle}>
            <p>{t.audit.empty}</p>
          </Empty>
        }
      >
        {(entry) => (
          <Row key={entry.id} entry={entry} onAction={(action) => setFilter({ ...filter, action })} />
        )}
      </ResourceTable>
    </div>
  );
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const t = useTexts(teamEn);
  const me = useMe();
  const set = (name: keyof Filter) => (event: { target: { value: string } }) =>
    onChange({ ...filter, [name]: event.target.value });
  return (
    <div className={styles.row}>
      <Field label={t.audit.who}>
        {(props) => (
          <select {...props} value={filter.actor} onChange={set('actor')}>
            <option value="">{t.audit.anybody}</option>
            {me?.team.members.map(({ user_id: id, email }) => (
              <option key={id} value={id}>
                {email}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.audit.action}>
        {(props) => (
          <input
            {...props}
            value={filter.action}
            onChange={set('action')}
            placeholder="key.created"
            spellCheck={false}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label={t.audit.from}>
        {(props) => <input {...props} type="date" value={filter.from} onChange={set('from')} />}
      </Field>
      <Field label={t.audit.to}>
        {(props) => <input {...props} type="date" value={filter.to} onChange={set('to')} />}
      </Field>
    </div>
  );
}

function Row({ entry, onAction }: { entry: Entry; onAction: (action: string) => void }) {
  const t = useTexts(teamEn);
  const { time } = useFormats();
  const me = useMe();
  const { user_id: userId, key_id: keyId, address } = entry.actor;
  const member = me?.team.members.find((each) => each.user_id === userId);
  return (
    <tr>
      <td className={styles.whole}>{time(entry.at)}</td>
      <td>
        <span className={styles.wide}>
          {member?.email ?? userId ?? (keyId === null ? t.audit.noActor : t.audit.serviceKey)}
        </span>
        {address !== null && <div className={styles.muted}>{address}</div>}
      </td>
      <td>
        <Button small title={t.audit.onlyThis} onClick={() => onAction(entry.action)}>
          {entry.action}
        </Button>
      </td>
      <td>
        <code className={styles.whole}>{entry.subject.id}</code>
      </td>
      <td>
        <div className={styles.wide}>
          <Changes changes={entry.changes} />
        </div>
      </td>
    </tr>
  );
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

function queryOf({ actor, action, from, to }: Filter): Record<string, string> {
  const query: Record<string, string> = {};
  if (actor !== '') query.actor = actor;
  // A part of a name is being typed.
  if (/^[a-z]+\.[a-z_]+$/.test(action)) query.action = action;
  if (from !== '') query.from = startOf(from, 0);
  if (to !== '') query.to = startOf(to, 1);
  return query;
}

/** Midnight of a day, or of a later one. */
function startOf(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}
