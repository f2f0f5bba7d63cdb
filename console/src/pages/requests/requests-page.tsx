import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { ResourceTable } from '../../ui/resource-table';
import { Button, Empty, Field, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';

/** The format that the API accepts. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Requests of the team that failed, to find the one whose id an error has shown. */
export function RequestsPage() {
  const t = useTexts(teamEn);
  useTitle(t.requests.title);
  const [id, setId] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const query = {
    ...(REQUEST_ID.test(id.trim()) && { request_id: id.trim() }),
    ...(code !== null && { code }),
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
              onChange={({ target }) => setId(target.value)}
              spellCheck={false}
              autoComplete="off"
            />
          )}
        </Field>
        {code !== null && <Button onClick={() => setCode(null)}>{t.requests.all}</Button>}
      </div>
      <ResourceTable
        queryKey={['failed-requests', JSON.stringify(query)]}
        load={(page) => data(api.GET('/v1/failed_requests', { params: { query: { ...query, ...page } } }))}
        label={t.requests.title}
        head={t.requests.columns}
        empty={
          <Empty icon="check" title={t.requests.emptyTitle}>
            <p>{t.requests.empty}</p>
          </Empty>
        }
      >
        {(request) => <Row key={request.id} request={request} onCode={setCode} />}
      </ResourceTable>
    </div>
  );
}

function Row({
  request,
  onCode,
}: {
  request: Schemas['FailedRequest'];
  onCode: (code: string | null) => void;
}) {
  const t = useTexts(teamEn);
  const { number, time } = useFormats();
  const { at, method, route, status, code, key_id: keyId, request_id: requestId, duration_ms: ms } = request;
  return (
    <tr>
      <td className={styles.whole}>{time(at)}</td>
      <td>
        <code>
          {method} {route}
        </code>
      </td>
      <td>
        {status}{' '}
        {code === null ? (
          t.requests.cutOff
        ) : (
          <Button small title={t.requests.onlyThis} onClick={() => onCode(code)}>
            {code}
          </Button>
        )}
      </td>
      <td>
        <code className={styles.whole}>{keyId}</code>
      </td>
      <td>
        <code className={styles.whole}>{requestId}</code>
      </td>
      <td className={styles.number}>{t.requests.duration(number(ms))}</td>
    </tr>
  );
}
