import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BASE, reach } from '../../api/connection';
import { EVENT_TYPES } from '../../api/constants';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { Card, Copy, Field, styles } from '../../ui/ui';

/** The part of the OpenAPI document with the examples of events. */
interface Document {
  webhooks: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { example: unknown } } } } }>
  >;
}

/** The body of each event, before the first is sent. */
export function EventExample({ events }: { events: readonly string[] }) {
  const t = useTexts(webhooksEn);
  const types = EVENT_TYPES.filter((type) => type === 'webhook.test' || events.includes(type));
  const [type, setType] = useState<string>(types[0] ?? 'webhook.test');
  const examples = useQuery({
    queryKey: ['event-examples'],
    queryFn: async () => (await (await reach(`${BASE}openapi.json`)).json()) as Document,
    staleTime: Infinity,
  });
  return (
    <Card title={t.webhooks.examples}>
      <Field label={t.webhooks.event} hint={t.webhooks.eventTexts[type] ?? ''}>
        {(props) => (
          <select {...props} value={type} onChange={({ target }) => setType(target.value)}>
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <QueryResult query={examples}>
        {({ webhooks }) => (
          <div className={styles.stack}>
            <Copy
              label={t.webhooks.example}
              text={JSON.stringify(
                webhooks[type]?.post.requestBody.content['application/json'].example,
                null,
                2,
              )}
            />
          </div>
        )}
      </QueryResult>
    </Card>
  );
}
