import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { ApiError } from '../../api/problem';
import { useIsLive, useMay, usageQuery } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult, ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { PageHead } from '../../ui/page-head';
import { DayChart } from '../../ui/charts/day-chart';
import { Button, Card, Progress, Table, styles } from '../../ui/ui';
import { saveFile } from '../../ui/save-file';
import { useTitle } from '../../ui/use-title';
import { CurrentPlan, PlansOnSale } from './plans';
import css from './usage.module.css';

type Day = Schemas['DailyUsage']['data'][number];

const PERIODS = [7, 30, 90];

export function UsagePage() {
  const t = useTexts(teamEn);
  useTitle(t.usage.title);
  const isAdmin = useMay('admin');
  return (
    <div className={styles.stack}>
      <PageHead title={t.usage.title} />
      <div className={css.pair}>
        <CurrentPlan />
        <Today />
      </div>
      {isAdmin && <PlansOnSale />}
      <History />
      {isAdmin && <Invoices />}
    </div>
  );
}

function Today() {
  const t = useTexts(teamEn);
  const { number, time, clock } = useFormats();
  const usage = useQuery(usageQuery);
  return (
    <Card title={t.usage.today}>
      <QueryResult query={usage}>
        {({ quota: { limit, used, reserved, resets_at: resetsAt } }) => {
          const ends = limit === null ? null : endOfQuota(used, limit, resetsAt);
          const text =
            limit === null ? t.usage.unlimited(number(used)) : t.usage.used(number(used), number(limit));
          return (
            <>
              <p>
                <strong>{text}</strong>
              </p>
              {limit !== null && <Progress value={used + reserved} max={limit} label={text} />}
              <p className={styles.muted}>
                {reserved > 0 && `${t.usage.reserved(number(reserved))}. `}
                {limit !== null && `${t.usage.resets(time(resetsAt))}.`}
                {ends !== null && ` ${t.usage.ends(clock(ends.toISOString()))}`}
              </p>
            </>
          );
        }}
      </QueryResult>
    </Card>
  );
}

const DAY_MS = 86_400_000;

/** When the quota of the day is used up at the rate of the day so far; null: not today. */
function endOfQuota(used: number, limit: number, resetsAt: string): Date | null {
  const resets = Date.parse(resetsAt);
  const started = resets - DAY_MS;
  const elapsed = Date.now() - started;
  if (used === 0 || used >= limit || elapsed <= 0) return null;
  const ends = started + (elapsed * limit) / used;
  return ends < resets ? new Date(ends) : null;
}

function History() {
  const t = useTexts(teamEn);
  const { number } = useFormats();
  const [days, setDays] = useState(30);
  const history = useQuery({
    queryKey: ['history', days],
    queryFn: () => data(api.GET('/v1/team/history', { params: { query: { days } } })),
  });
  const totals = (list: readonly Day[]) => {
    const total = list.reduce((sum, day) => sum + day.total, 0);
    return t.usage.totals(number(total), number(Math.round(total / list.length)));
  };
  return (
    <Card
      title={t.usage.byDay}
      action={
        <div className={styles.row}>
          {PERIODS.map((period) => (
            <Button key={period} small aria-pressed={period === days} onClick={() => setDays(period)}>
              {t.usage.days(period)}
            </Button>
          ))}
        </div>
      }
    >
      <QueryResult query={history}>
        {({ data: list }) => (
          <>
            {list.every(({ total }) => total === 0) ? (
              <p className={styles.muted}>{t.usage.none}</p>
            ) : (
              <>
                <DayChart days={[...list].reverse()} />
                <p>{totals(list)}</p>
              </>
            )}
            <details>
              <summary>{t.usage.table}</summary>
              <Button small onClick={() => saveFile(csvOf(list), `usage-${list.length}-days.csv`)}>
                {t.usage.csv}
              </Button>
              <Table
                label={t.usage.byDay}
                align={{ 1: 'end', 2: 'end', 3: 'end', 4: 'end' }}
                head={[t.usage.date, t.usage.total, t.usage.single, t.usage.bulk, t.usage.free]}
              >
                {list.map(({ date, total, single, bulk, free }) => (
                  <tr key={date}>
                    <td>{date}</td>
                    {[total, single, bulk, free].map((count, index) => (
                      <td key={index} className={styles.number}>
                        {number(count)}
                      </td>
                    ))}
                  </tr>
                ))}
              </Table>
            </details>
          </>
        )}
      </QueryResult>
    </Card>
  );
}

/** The columns have the names of the API. */
function csvOf(list: readonly Day[]): Blob {
  const rows = list.map(({ date, total, single, bulk, free }) => [date, total, single, bulk, free].join(','));
  return new Blob([['date,total,single,bulk,free', ...rows, ''].join('\r\n')], { type: 'text/csv' });
}

/** Without billing, or before the first subscription, there are none, and the portal is not offered. */
function Invoices() {
  const t = useTexts(teamEn);
  const { date, money } = useFormats();
  const isLive = useIsLive();
  const invoices = useQuery({ queryKey: ['invoices'], queryFn: () => data(api.GET('/v1/billing/invoices')) });
  const portal = useApiMutation(async () => {
    const open = (body: { return_url?: string }) => data(api.POST('/v1/billing/portal', { body }));
    // Under another origin than PUBLIC_URL, the provider leads back to that one.
    const { url } = await open({ return_url: location.href }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 400) return open({});
      throw error;
    });
    // Only a page of the billing provider: nothing that runs here.
    if (url.startsWith('https://')) location.assign(url);
  }, []);
  return (
    <Card
      title={t.usage.invoices}
      action={
        isLive &&
        (invoices.data?.data.length ?? 0) > 0 && (
          <Button onClick={() => portal.mutate()}>{t.usage.portal}</Button>
        )
      }
    >
      <ErrorNote error={portal.error} />
      <QueryResult query={invoices}>
        {({ data: list }) =>
          list.length === 0 ? (
            <p className={styles.muted}>{t.usage.noInvoices}</p>
          ) : (
            <Table
              label={t.usage.invoices}
              head={[t.usage.number, t.usage.amount, t.common.status, t.common.createdAt, '']}
            >
              {list.map((invoice) => (
                <tr key={invoice.id}>
                  <td>{invoice.number ?? invoice.id}</td>
                  <td className={styles.number}>{money(invoice.amount_due, invoice.currency)}</td>
                  <td>{invoice.status}</td>
                  <td className={styles.muted}>{date(invoice.created_at)}</td>
                  <td className={styles.end}>
                    {invoice.hosted_url?.startsWith('https://') === true && (
                      <a href={invoice.hosted_url} target="_blank" rel="noreferrer">
                        {t.usage.open}
                      </a>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </QueryResult>
    </Card>
  );
}
