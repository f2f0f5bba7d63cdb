import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../schedules/schedule-app.js';
import type { WebhookReceiver } from '../webhooks/webhook-receiver.js';

const INTERVAL_MS = 200;

/** Addresses of the mail world, and reserved domains. */
const LIST = [
  ...Array.from({ length: 40 }, (_, n) => `person${n}@people.mailworld`),
  ...Array.from({ length: 7 }, (_, n) => `former${n}@people.mailworld`),
  ...Array.from({ length: 6 }, (_, n) => `guest${n}@everybody.mailworld`),
  'jane@plain.mailworld',
  'jane@tls.mailworld',
  'jane@nomail.mailworld',
  'jane@absent.mailworld',
  'jane@hangup.mailworld',
  'not an address',
];

/** The address whose verdict is shown. */
export const VERIFIED = 'former1@people.mailworld';

const RULES = [
  {
    id: 'disposable',
    when: { checks: 'disposable' },
    decision: 'reject',
    note: 'Sign-ups with throwaway addresses never pay.',
  },
  {
    id: 'partner',
    when: { domain_suffix: 'people.mailworld' },
    unless: { reason: 'mailbox_not_found' },
    decision: 'accept',
  },
  { id: 'catch-all', when: { reason: 'catch_all' }, decision: 'review' },
];

/** What a team has after some weeks, made by calls of the API. */
export class PictureData {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /**
   * @param source of the schedule.
   * @param receiver of the webhook.
   * @returns the ids of what has a page.
   */
  async make(source: WebhookReceiver, receiver: WebhookReceiver): Promise<Record<string, string>> {
    serve(source, ['email', ...LIST].join('\n'), 'text/csv');
    await this.send('PATCH', '/v1/team', { name: 'Northwind' });
    const webhook = await this.add('/v1/webhooks', { url: receiver.url, description: 'Sales system' });
    await this.send('PUT', '/v1/policy', { rules: RULES });
    for (const domain of ['spam.example', 'competitor.example']) await this.add('/v1/blocklist', { domain });
    await this.add('/v1/team/invites', { email: 'joan@northwind.example', role: 'admin' });
    await this.add('/v1/keys', {
      name: 'Sign-up form',
      kind: 'publishable',
      allowed_origins: ['https://northwind.example'],
    });
    await this.add('/v1/keys', { name: 'Nightly cleaning', mode: 'live', scopes: ['lists'] });
    await this.add('/v1/outcome-sources', { kind: 'ses' });
    await this.fail('/v1/verify', { email: '' });
    await this.fail('/v1/bulk-jobs/job_00000000000000000000000000/cancel', {});
    const emails = LIST.slice(0, 30);
    await this.finished(await this.add('/v1/verify/bulk', { name: 'Customers', emails }));
    const list = await this.add('/v1/verify/bulk', { name: 'Newsletter, November', emails: LIST });
    const held = await this.add('/v1/verify/bulk?hold=true', {
      name: 'Fair',
      emails: [...LIST, ...LIST.slice(0, 5)],
    });
    const schedule = await this.add('/v1/schedules', {
      name: 'Subscribers',
      every: 'week',
      source: { kind: 'url', url: source.url },
    });
    await this.finished(list);
    await this.send('POST', `/v1/schedules/${schedule}/run`);
    await this.until(`/v1/schedules/${schedule}`, ({ last_run: run }: { last_run: { status: string } }) =>
      ['completed', 'failed'].includes(run.status),
    );
    const outcomes = [
      ...LIST.slice(0, 30).map((email) => ({ email, outcome: 'delivered' })),
      { email: LIST[31], outcome: 'bounced', reply: '550 5.1.1 User unknown' },
    ];
    await this.send('POST', '/v1/outcomes', { outcomes });
    await this.until(`/v1/bulk-jobs/${held}`, ({ preview }: { preview: unknown }) => preview !== null);
    await this.until('/v1/admin/system', ({ checks }: { checks: unknown[] }) => checks.length > 0);
    return { list, held, schedule, webhook };
  }

  private finished(job: string): Promise<void> {
    return this.until(`/v1/bulk-jobs/${job}`, ({ status }: { status: string }) => status === 'completed');
  }

  /** Waits until the object at a path is as it must be. */
  private async until<T>(path: string, isSo: (found: T) => boolean): Promise<void> {
    while (!isSo((await this.send('GET', path)) as T)) await pause(INTERVAL_MS);
  }

  /** Creates an object. @returns its id. */
  private async add(path: string, body: object): Promise<string> {
    return ((await this.send('POST', path, body)) as { id: string }).id;
  }

  /** A request that is refused. */
  private async fail(path: string, body: object): Promise<void> {
    if ((await this.request('POST', path, body)).ok) throw new Error(`${path} is not refused`);
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.request(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  private request(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
