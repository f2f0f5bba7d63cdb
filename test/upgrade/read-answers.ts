import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestApp } from '../support/app/app.js';
import type { Answer } from './release-files.js';

/** Not a stored object: health, pages, streams, and what describes the process. `/v1/verify` is called by the test. */
const NOT_READ =
  /^\/(?:livez|readyz|metrics|signup|signin|signin\/oidc|v1\/verify|v1\/admin\/system|v1\/admin\/system\/examination|v1\/bulk-jobs\/\{id\}\/events)$/;
const QUERIES: Readonly<Record<string, string>> = { '/v1/outcomes': '?email=jane@two.mailworld' };

/** Reads every object of every GET in the OpenAPI document with each key. */
export async function readAnswers(app: TestApp, keys: Record<string, string>): Promise<Answer[]> {
  const { paths } = (await app.get('/openapi.json')).body as OpenAPIObject;
  const templates = Object.keys(paths).filter((path) => paths[path]?.get && !NOT_READ.test(path));
  // Collections come before what is below them.
  templates.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const answers: Answer[] = [];
  for (const [by, key] of Object.entries(keys))
    for (const template of templates) {
      for (const path of pathsOf(
        template,
        answers.filter((answer) => answer.by === by),
      )) {
        const asked = path + (QUERIES[path] ?? '');
        const answer = await app.get(asked, key);
        answers.push({ by, path: asked, status: answer.status, body: answer.body as unknown });
      }
    }
  return answers;
}

/** The paths of a template: with the id of each object in the collection above it. */
function pathsOf(template: string, known: readonly Answer[]): string[] {
  const [, collection, rest] = /^(.*)\/\{\w+\}(.*?)$/.exec(template) ?? [];
  if (collection === undefined || rest === undefined) return [template];
  return pathsOf(collection, known).flatMap((path) => {
    const { data } = (known.find((answer) => answer.path === path)?.body ?? {}) as {
      data?: { id: string }[];
    };
    return (data ?? []).map(({ id }) => `${path}/${id}${rest}`);
  });
}
