import type { PolicyResponse } from '../../../src/modules/verification/policy/policy.dto.js';
import type { TestApp } from '../app/app.js';

/** Replaces the rules of a team. @param rules as the API takes them. */
export async function setPolicy(
  app: TestApp,
  key: string,
  rules: readonly object[],
): Promise<PolicyResponse> {
  const answer = await app.request('put', '/v1/policy', key).send({ rules });
  if (answer.status !== 200) throw new Error(`not stored: ${answer.status} ${answer.text}`);
  return answer.body as PolicyResponse;
}
