import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { PageHead } from '../../ui/page-head';
import { Button, Empty, Table, styles } from '../../ui/ui';
import { FailureRate, WebhookState } from './delivery-state';
import { NewWebhookDialog } from './new-webhook-dialog';
import { areAllEvents } from './selectable-events';
import { isOnRow } from '../../ui/keys/is-on-row';
import { useNewInAddress } from '../../ui/use-new';
import { useTitle } from '../../ui/use-title';

/** A team has at most twenty. */
const MAX_WEBHOOKS = 100;

export function WebhooksPage() {
  const t = useTexts(webhooksEn);
  const { keys } = useTexts(teamEn);
  useTitle(t.nav.webhooks);
  const { exactTime } = useFormats();
  const navigate = useNavigate();
  const open = (id: string) => void navigate({ to: '/webhooks/$id', params: { id } });
  const [isCreating, setIsCreating] = useState(false);
  useNewInAddress(() => setIsCreating(true));
  const webhooks = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => data(api.GET('/v1/webhooks', { params: { query: { limit: MAX_WEBHOOKS } } })),
  });
  return (
    <div className={styles.stack}>
      <PageHead title={t.webhooks.title} intro={t.webhooks.intro}>
        <Button variant="primary" onClick={() => setIsCreating(true)}>
          {t.webhooks.create}
        </Button>
      </PageHead>
      <QueryResult query={webhooks}>
        {({ data: list }) =>
          list.length === 0 ? (
            <Empty icon="hook" title={t.webhooks.emptyTitle}>
              <p>{t.webhooks.empty}</p>
              <Button onClick={() => setIsCreating(true)}>{t.webhooks.createFirst}</Button>
            </Empty>
          ) : (
            <Table
              label={t.webhooks.title}
              head={[
                t.webhooks.url,
                t.webhooks.events,
                t.webhooks.mode,
                t.common.status,
                t.webhooks.failures,
                t.webhooks.lastDelivery,
              ]}
            >
              {list.map((webhook) => {
                const { id, url, description, events, mode, recent } = webhook;
                return (
                  <tr key={id} className={styles.openable} onClick={(event) => isOnRow(event) && open(id)}>
                    <td>
                      <Link to="/webhooks/$id" params={{ id }}>
                        {url}
                      </Link>
                      {description !== null && <p className={styles.muted}>{description}</p>}
                    </td>
                    <td>{areAllEvents(events) ? t.webhooks.allEvents : events.length}</td>
                    <td>{keys[mode]}</td>
                    <td>
                      <WebhookState webhook={webhook} />
                    </td>
                    <td>
                      <FailureRate recent={recent} />
                    </td>
                    <td className={`${styles.muted} ${styles.whole}`}>
                      {recent.last_at === null ? t.common.never : exactTime(recent.last_at)}
                    </td>
                  </tr>
                );
              })}
            </Table>
          )
        }
      </QueryResult>
      {isCreating && <NewWebhookDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}
