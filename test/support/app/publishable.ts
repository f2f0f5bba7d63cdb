import type { KeyResponse, NewKeyResponse } from '../../../src/modules/identity/api-keys/api-keys.dto.js';
import type { ReducedVerdictResponse } from '../../../src/modules/verification/verification/single/reduced-verdict.dto.js';
import type { TestApp } from './app.js';

export const PAGE = 'https://www.shop.example';

export type PublishableKey = KeyResponse & { key: string };

/** Creates a publishable key for pages of `PAGE`. */
export async function aPublishableKey(
  app: TestApp,
  by: string,
  more: Record<string, unknown> = {},
): Promise<PublishableKey> {
  const body = { name: 'sign-up form', kind: 'publishable', allowed_origins: [PAGE], ...more };
  const answer = await app.post('/v1/keys', by).send(body);
  if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
  const created = answer.body as NewKeyResponse;
  return { ...created, key: created.key ?? '' };
}

/** The browser of a visitor, behind a proxy that the service trusts. */
export class Visitor {
  constructor(
    private readonly app: TestApp,
    private readonly key: string,
    private readonly address: string,
    private readonly origin: string | null = PAGE,
  ) {}

  verify(email: string, more = '') {
    const path = `/v1/verify?email=${encodeURIComponent(email)}${more}`;
    return this.from(this.app.get(path, this.key));
  }

  post(body: object, path = '/v1/verify') {
    return this.from(this.app.post(path, this.key)).send(body);
  }

  from<T extends { set(name: string, value: string): T }>(request: T): T {
    const forwarded = request.set('X-Forwarded-For', this.address);
    return this.origin === null ? forwarded : forwarded.set('Origin', this.origin);
  }
}

/** The proof that a page with a publishable key gets. @param address of the visitor. */
export async function aProof(
  app: TestApp,
  key: string,
  email: string,
  address = '127.0.0.1',
): Promise<string> {
  const answer = await new Visitor(app, key, address).post({ email });
  return (answer.body as ReducedVerdictResponse).proof ?? '';
}
