import type { Test } from 'supertest';

export type Body = Record<string, string> & { id: string };

/** @returns the body. @throws Error on a refusal. */
export async function ok(request: Test): Promise<Body> {
  const answer = await request;
  if (answer.status >= 300)
    throw new Error(`${request.method} ${request.url}: ${answer.status} ${answer.text}`);
  return answer.body as Body;
}
