import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import type { Clock } from '../../../src/kernel/clock.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import {
  ANSWERED_FAULTS,
  error,
  invoiceJson,
  missing,
  notFound,
  page,
  priceJson,
  subscriptionJson,
  type Answer,
  type FakeInvoice,
  type Fault,
  type FakeSubscription,
} from './fake-stripe-objects.js';
import { DelayedResponses } from './delayed-responses.js';

export type { Fault };

export interface SeenRequest {
  method: string;
  path: string;
  query: string;
  idempotencyKey: string | undefined;
  version: string | undefined;
  body: Record<string, string>;
}

const MONTH_SECONDS = 30 * 86_400;

/** A stateful fake of the used part of Stripe's HTTP API, with fault injection. */
export class FakeStripe {
  readonly secretKey = 'sk_test_fake';
  readonly webhookSecret = 'whsec_fake';
  readonly seen: SeenRequest[] = [];
  readonly customers = new Map<string, { id: string; team: string; deleted: boolean }>();
  readonly subscriptions = new Map<string, FakeSubscription>();
  readonly invoices: FakeInvoice[] = [];
  readonly prices = new Set(['price_starter', 'price_growth', 'price_growth_old', 'price_scale']);
  /** Set to the clock of the service under test. */
  clock: Pick<Clock, 'now'> = new SystemClock();
  private readonly sessions = new Map<
    string,
    { id: string; customer: string; price: string; open: boolean }
  >();
  private readonly kept = new Map<string, { asked: string; answer: Answer }>();
  private faults: { fault: Fault; path: RegExp; left: number }[] = [];
  readonly held = new DelayedResponses();
  private made = 0;
  private readonly library = new Stripe(this.secretKey);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeStripe> {
    const server = createServer();
    const fake = new FakeStripe(server);
    server.on('request', (request, response) => void fake.serve(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return fake;
  }

  /** Seconds. */
  get now(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Environment variables of a service that uses this provider. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_API_BASE: this.url,
      STRIPE_PRICES: 'starter=price_starter,growth=price_growth,growth=price_growth_old,scale=price_scale',
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Injects a fault into the next requests with a matching path. */
  fail(fault: Fault, times = 1, path = /./): void {
    this.faults.push({ fault, path, left: times });
  }

  heal(): void {
    this.faults = [];
  }

  /** Of all checkouts. */
  get urls(): IterableIterator<string> {
    return this.sessions.keys();
  }

  /** Completes a checkout with a payment. */
  complete(checkoutUrl: string): FakeSubscription {
    const session = this.sessions.get(checkoutUrl);
    if (session?.open !== true) throw new Error('no such open checkout');
    session.open = false;
    return this.subscribe(session.customer, session.price);
  }

  subscribe(customer: string, price: string, changes: Partial<FakeSubscription> = {}): FakeSubscription {
    const subscription: FakeSubscription = {
      id: this.name('sub'),
      customer,
      price,
      status: 'active',
      created: this.now + this.made,
      cancel_at_period_end: false,
      cancel_at: null,
      period: [this.now, this.now + MONTH_SECONDS],
      ...changes,
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  bill(customer: string, changes: Partial<FakeInvoice> = {}): FakeInvoice {
    const invoice: FakeInvoice = {
      id: this.name('in'),
      customer,
      subscription: null,
      status: 'paid',
      created: this.now + this.made,
      finalized_at: this.now + this.made,
      attempted: true,
      ...changes,
    };
    this.invoices.unshift(invoice);
    return invoice;
  }

  /** An event in Stripe's format, with its signature. */
  event(
    type: string,
    object: object,
    id = this.name('evt'),
  ): { body: string; signature: string; id: string } {
    const body = JSON.stringify({ id, object: 'event', type, data: { object } });
    return { id, body, signature: this.sign(body) };
  }

  /** @param timestamp seconds. */
  sign(payload: string, timestamp = this.now, secret = this.webhookSecret): string {
    return this.library.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  }

  private name(kind: string): string {
    return `${kind}_Fake${String(++this.made).padStart(6, '0')}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '', 'http://fake');
    const header = (name: string) => request.headers[name] as string | undefined;
    const body = Object.fromEntries(new URLSearchParams(text));
    const idempotencyKey = header('idempotency-key');
    const method = request.method ?? '';
    const version = header('stripe-version');
    this.seen.push({ method, path: url.pathname, query: url.search, idempotencyKey, version, body });
    const fault = this.faultFor(url.pathname);
    if (fault === 'down') return void request.socket.destroy();
    if (fault === 'slow') return;
    const answer =
      (fault && ANSWERED_FAULTS[fault]) ??
      (header('authorization') === `Bearer ${this.secretKey}`
        ? this.onceOnly(`${method} ${url.href}`, text, idempotencyKey, () => this.answer(method, url, body))
        : error(401, 'invalid_request_error'));
    await this.held.pass(url.pathname);
    if (fault === 'lost') return void request.socket.destroy();
    const json = fault === 'nonsense' ? '<html>Welcome</html>' : JSON.stringify(answer.body);
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
      'Request-Id': 'req_fake',
    });
    if (fault !== 'truncated') return void response.end(json);
    response.write(json.slice(0, 10), () => request.socket.destroy());
  }

  private faultFor(path: string): Fault | undefined {
    const found = this.faults.find((fault) => fault.left > 0 && fault.path.test(path));
    if (found) found.left--;
    return found?.fault;
  }

  /** As at Stripe: one response per key, and an error if it is reused with another body. */
  private onceOnly(what: string, text: string, key: string | undefined, make: () => Answer): Answer {
    if (key === undefined || !what.startsWith('POST')) return make();
    const asked = `${what}\n${text}`;
    const known = this.kept.get(key);
    if (known && known.asked !== asked) return error(400, 'idempotency_error');
    const answer = known?.answer ?? make();
    this.kept.set(key, { asked, answer });
    return answer;
  }

  private answer(method: string, url: URL, body: Record<string, string>): Answer {
    const [, , ...path] = url.pathname.split('/');
    const query = url.searchParams;
    const route = `${method} ${path.join('/')}`;
    if (route === 'POST customers') return this.newCustomer(body);
    if (route === 'POST checkout/sessions') return this.newCheckout(body);
    if (route.startsWith('POST checkout/sessions/')) return this.expireCheckout(path[2] ?? '');
    if (route === 'POST billing_portal/sessions') return this.newPortal(body);
    if (route === 'GET invoices') return this.listInvoices(query);
    if (route === 'GET subscriptions') return this.listSubscriptions(query);
    if (route.startsWith('GET customers/')) return this.customer(path[1] ?? '');
    const prices = [...this.prices].map((id) => ({ id }));
    if (route === 'GET prices') return page(query, prices, priceJson);
    if (route.startsWith('GET prices/')) return this.price(path[1] ?? '');
    if (route.startsWith('DELETE subscriptions/')) return this.cancel(path[1] ?? '');
    return error(404, 'invalid_request_error');
  }

  private newCustomer(body: Record<string, string>): Answer {
    const id = this.name('cus');
    this.customers.set(id, { id, team: body['metadata[rcpt_team_id]'] ?? '', deleted: false });
    return { status: 200, body: { id, object: 'customer' } };
  }

  private customer(id: string): Answer {
    const found = this.customers.get(id);
    if (found === undefined) return notFound('id');
    return { status: 200, body: { id, object: 'customer', ...(found.deleted && { deleted: true }) } };
  }

  private price(id: string): Answer {
    return this.prices.has(id) ? { status: 200, body: priceJson({ id }) } : notFound('price');
  }

  private isThere(customer: string | null | undefined): boolean {
    return this.customers.get(customer ?? '')?.deleted === false;
  }

  private newCheckout(body: Record<string, string>): Answer {
    const { customer = '' } = body;
    const price = body['line_items[0][price]'] ?? '';
    if (!this.isThere(customer)) return missing('customer');
    if (!this.prices.has(price)) return missing('line_items[0][price]');
    const id = this.name('cs');
    const url = `https://checkout.stripe.example/${id}`;
    this.sessions.set(url, { id, customer, price, open: true });
    return { status: 200, body: { id, object: 'checkout.session', url } };
  }

  private expireCheckout(id: string): Answer {
    const session = [...this.sessions.values()].find((known) => known.id === id && known.open);
    if (session === undefined) return error(400, 'invalid_request_error');
    session.open = false;
    return { status: 200, body: { id, object: 'checkout.session' } };
  }

  private newPortal({ customer = '' }: Record<string, string>): Answer {
    if (!this.isThere(customer)) return missing('customer');
    const id = this.name('bps');
    return {
      status: 200,
      body: { id, object: 'billing_portal.session', url: `https://portal.stripe.example/${id}` },
    };
  }

  private listInvoices(query: URLSearchParams): Answer {
    const wanted = (name: 'customer' | 'subscription' | 'status') => (invoice: FakeInvoice) =>
      query.get(name) === null || invoice[name] === query.get(name);
    const all = this.invoices
      .filter(wanted('customer'))
      .filter(wanted('subscription'))
      .filter(wanted('status'));
    return page(query, all, invoiceJson);
  }

  private listSubscriptions(query: URLSearchParams): Answer {
    const customer = query.get('customer');
    if (!this.isThere(customer)) return missing('customer');
    const all = [...this.subscriptions.values()]
      .filter((subscription) => subscription.customer === customer)
      .reverse();
    return page(query, all, subscriptionJson);
  }

  private cancel(id: string): Answer {
    const found = this.subscriptions.get(id);
    if (found === undefined || found.status === 'canceled') return notFound('id');
    found.status = 'canceled';
    return { status: 200, body: subscriptionJson(found) };
  }
}
