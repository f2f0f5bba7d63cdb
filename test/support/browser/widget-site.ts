import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'vite';

/** A request as received. */
export interface SiteRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server on a real socket of this machine that keeps what it received. */
export class LoopbackSite {
  readonly received: SiteRequest[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly server: Server;

  protected constructor(private readonly respond: (request: SiteRequest, response: ServerResponse) => void) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves after `count` requests with this method, with the last of them. */
  async until(method: string, count = 1): Promise<SiteRequest> {
    const of = () => this.received.filter((request) => request.method === method);
    while (of().length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
    return of()[count - 1]!;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(pieces).toString() };
    this.received.push(request);
    this.respond(request, response);
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A page that loads the widget. */
export interface PageOptions {
  /** The URL of the service. */
  service: string;
  key: string;
  /** Attributes of the script. */
  script?: Record<string, string>;
  body?: string;
  /** `connect-src` of the page. */
  connect?: string;
}

const FORM = `<form action="/joined" method="post">
<p><label for="email">Email</label> <input id="email" name="email" type="email" data-rcpt></p>
<p><button>Join</button></p>
</form>`;

/** A site with a form, under a strict content security policy. */
export class HostSite extends LoopbackSite {
  private page = '';
  private policy = '';
  private reactForm = '';

  private constructor() {
    super(({ path }, response) => {
      if (path === '/react-form.js')
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(this.reactForm);
      else
        response
          .writeHead(path === '/favicon.ico' ? 404 : 200, {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': this.policy,
          })
          .end(/^\/(join|favicon)/.test(path) ? '<!doctype html><title>Joined</title>' : this.page);
    });
  }

  static start(): Promise<HostSite> {
    return new HostSite().listen();
  }

  /** The next page that the site serves. */
  show({ service, key, script = {}, body = FORM, connect = service }: PageOptions): void {
    const attributes = Object.entries({ ...script, src: `${service}/rcpt.js`, 'data-key': key })
      .map(([name, value]) => ` ${name}="${html(value)}"`)
      .join('');
    this.serve(
      `<!doctype html><html lang="en"><head><title>Join</title><script defer${attributes}></script></head>
<body><main><h1>Join</h1>${body}</main></body></html>`,
      service,
      connect,
    );
  }

  serve(page: string, service: string, connect = service): void {
    this.received.length = 0;
    this.page = page;
    this.policy = [
      "default-src 'none'",
      `script-src 'self' ${service}`,
      `connect-src ${connect}`,
      "form-action 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  }

  /** A form of React, rendered into `main`. */
  async showReactForm(options: PageOptions): Promise<void> {
    this.reactForm ||= await bundle(new URL('react-form.mjs', import.meta.url).pathname);
    this.show({ ...options, body: '<script src="/react-form.js" defer></script>' });
  }

  /** The values that the form has sent. */
  get joined(): string[] {
    return this.received
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => new URLSearchParams(body).get('email') ?? '');
  }
}

async function bundle(input: string): Promise<string> {
  const options = {
    write: false,
    minify: false,
    rolldownOptions: { input, output: { format: 'iife' } },
  } as const;
  const built = await build({ configFile: false, logLevel: 'error', build: options });
  if (!('output' in built)) throw new Error('no bundle');
  return built.output[0].code;
}
