import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { publishableEn } from '../../texts/team/publishable.en';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { ResourceTable } from '../../ui/resource-table';
import { Button, Empty, Field, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { RequestPanel } from './request-panel';

/** The format that the API accepts. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const CODE = /^[a-z][a-z_]{0,63}$/;
const MAX_KEYS = 100;
/** When, request and error, and whose key; the rest is in the panel. */
const COLUMNS = 4;

const route = getRouteApi('/requests');

/** Requests of the team that failed, to find the one whose id an error has shown. */
export function RequestsPage() {
  const t = useTexts(teamEn);
  useTitle(t.requests.title);
  const navigate = useNavigate();
  const search = route.useSearch();
  const { id = '', code } = search;
  const [opened, setOpened] = useState<Schemas['FailedRequest'] | null>(null);
  const nameOf = useKeyNames();
  const change = (changes: { id?: string; code?: string | undefined }) => {
    const entries = Object.entries({ ...search, ...changes }).filter(([, value]) => value);
    void navigate({ to: '/requests', search: Object.fromEntries(entries), replace: true });
  };
  const query = {
    ...(REQUEST_ID.test(id.trim()) && { request_id: id.trim() }),
    ...(code !== undefined && CODE.test(code) && { code }),
  };
  return (
    <div className={styles.stack}>
      <PageHead title={t.requests.title} intro={t.requests.intro} />
      <div className={styles.row}>
        <Field label={t.requests.id} hint={t.requests.idHint}>
          {(props) => (
            <input
              {...props}
              value={id}
              onChange={({ target }) => change({ id: target.value })}
              spellCheck={false}
              autoComplete="off"
            />
          )}
        </Field>
        {code !== undefined && (
          <>
            <code>{code}</code>
            <Button onClick={() => change({ code: undefined })}>{t.requests.all}</Button>
          </>
        )}
      </div>
      <ResourceTable
        queryKey={['failed-requests', JSON.stringify(query)]}
        load={(page) => data(api.GET('/v1/failed_requests', { params: { query: { ...query, ...page } } }))}
        label={t.requests.title}
        head={t.requests.columns.slice(0, COLUMNS)}
        empty={
          <Empty icon="check" title={t.requests.emptyTitle}>
            <p>{t.requests.empty}</p>
          </Empty>
        }
      >
        {(request) => (
          <Row
            key={request.id}
            request={request}
            keyName={nameOf(request.key_id)}
            onOpen={() => setOpened(request)}
            onCode={(only) => change({ code: only })}
          />
        )}
      </ResourceTable>
      {opened !== null && (
        <RequestPanel
          request={opened}
          keyName={nameOf(opened.key_id)}
          onCode={(only) => {
            setOpened(null);
            change({ code: only });
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** The names of the latest keys of the team. */
function useKeyNames(): (id: string) => string {
  const { requestDetails } = useTexts(publishableEn);
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: () => data(api.GET('/v1/keys', { params: { query: { limit: MAX_KEYS } } })),
  });
  return (id) => {
    if (keys.data === undefined) return id;
    return keys.data.data.find((key) => key.id === id)?.name ?? requestDetails.deletedKey;
  };
}

function Row({
  request,
  keyName,
  onOpen,
  onCode,
}: {
  request: Schemas['FailedRequest'];
  keyName: string;
  onOpen: () => void;
  onCode: (code: string) => void;
}) {
  const t = useTexts(teamEn);
  const { requestDetails } = useTexts(publishableEn);
  const { exactTime } = useFormats();
  const { at, method, route: template, status, code } = request;
  return (
    <tr>
      <td className={styles.whole}>{exactTime(at)}</td>
      <td className={styles.whole}>
        <Button small title={requestDetails.open} onClick={onOpen}>
          {method} {template}
        </Button>
      </td>
      <td className={styles.whole}>
        {status}{' '}
        {code === null ? (
          t.requests.cutOff
        ) : (
          <Button small title={t.requests.onlyThis} onClick={() => onCode(code)}>
            {code}
          </Button>
        )}
      </td>
      <td>{keyName}</td>
    </tr>
  );
}
