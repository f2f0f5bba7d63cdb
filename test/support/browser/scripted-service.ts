import type { ServerResponse } from 'node:http';
import { ask } from '../http/ask.js';
import { LoopbackSite, type SiteRequest } from './widget-site.js';

/** The response to a request for a verdict. */
export type VerdictAnswer = (response: ServerResponse, email: string) => void;

export const answering =
  (status: number, body: string | object, headers: Record<string, string> = {}): VerdictAnswer =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Sends nothing and keeps the connection open. */
export const silent: VerdictAnswer = () => undefined;

export const hangingUp: VerdictAnswer = (response) => void response.socket?.destroy();

type Reduced = [status: string, reason: string, decision: string, suggestion?: string];

/** By local part; every other address is deliverable. */
const VERDICTS: Record<string, Reduced> = {
  ghost: ['undeliverable', 'mailbox_not_found', 'reject'],
  typo: ['undeliverable', 'no_mail_server', 'reject', 'typo@gmail.com'],
  near: ['deliverable', 'accepted_email', 'accept', 'near@gmail.com'],
  blocked: ['risky', 'blocked_domain', 'reject'],
  brief: ['risky', 'disposable', 'review'],
  shared: ['risky', 'catch_all', 'review'],
  grey: ['unknown', 'greylisted', 'review'],
};

/** The reduced verdict of a publishable key. */
export function reducedVerdict(email: string): object {
  const [name = ''] = email.split('@');
  // A suggestion leads to an address that exists.
  const known = email.endsWith('@gmail.com') ? undefined : VERDICTS[name];
  const [status, reason, decision, suggestion = null] = known ?? ['deliverable', 'accepted_email', 'accept'];
  return { email, status, reason, did_you_mean: suggestion, policy: { decision } };
}

const verdict: VerdictAnswer = (response, email) => answering(200, reducedVerdict(email))(response, email);

/** The files of a real service, and verdicts as a publishable key gets them. */
export class ScriptedService extends LoopbackSite {
  behave: VerdictAnswer = verdict;
  /** The only origin that the key allows. */
  allowedOrigin = '';

  private constructor(private readonly files: { url: string }) {
    super((request, response) => void this.serve(request, response));
  }

  /** @param files the service whose `/rcpt.js` this one serves. */
  static start(files: { url: string }): Promise<ScriptedService> {
    return new ScriptedService(files).listen();
  }

  reset(allowedOrigin: string): void {
    this.allowedOrigin = allowedOrigin;
    this.behave = verdict;
    this.received.length = 0;
  }

  /** The addresses of the requests. */
  get asked(): string[] {
    return this.received.filter(({ method }) => method === 'POST').map(({ body }) => emailIn(body));
  }

  private async serve({ method, path, headers, body }: SiteRequest, response: ServerResponse): Promise<void> {
    if (!path.startsWith('/v1/')) {
      const file = await ask(this.files, path, { 'accept-encoding': 'gzip' });
      response.writeHead(file.status, file.headers).end(file.body);
      return;
    }
    // A preflight has no key, so that every origin gets the same response.
    if (method === 'OPTIONS') response.writeHead(204, preflightFor(headers.origin)).end();
    else if (headers.origin !== this.allowedOrigin)
      answering(403, { code: 'origin_not_allowed', status: 403 })(response, '');
    else {
      response.setHeader('Access-Control-Allow-Origin', this.allowedOrigin);
      response.setHeader('Vary', 'Origin');
      this.behave(response, emailIn(body));
    }
  }
}

const preflightFor = (origin = '') => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
});

const emailIn = (body: string) => (JSON.parse(body) as { email: string }).email;
