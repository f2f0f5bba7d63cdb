import { numbered, numbersOf, stable, type Exchange } from './recording.js';
import { tokenOf } from './users.js';

/** Sends the requests of an exchange again. @returns the first answer. */
export async function replayed({ as, token = tokenOf(as), request, each }: Exchange, url: string) {
  const requests = each === undefined ? [request] : numbersOf(each).map((n) => numbered(request, n));
  const answers: { status: number; body: unknown }[] = [];
  for (const { method, path, body } of requests) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: token === null ? {} : { authorization: `Basic ${btoa(`${as}:${token}`)}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    answers.push({ status: response.status, body: stable(await response.json()) });
  }
  return answers[0]!;
}
