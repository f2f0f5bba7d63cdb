import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AuditPage } from '../../../src/modules/identity/audit/audit.dto.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type {
  DisposableCandidatePage,
  DisposableOverrideResponse,
} from '../../../src/modules/verification/disposable/disposable.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const PATH = '/v1/admin/disposable';

let app: TestApp;
let answers: ResponseValidator;
/** Of the first team. */
let operator: NewAccount;
let account: NewAccount;

beforeAll(async () => {
  app = await anApp();
  answers = await ResponseValidator.published(app);
  operator = await app.anAccount();
  account = await app.anAccount();
});
afterAll(() => app.stop());

async function anOverride(domain: string): Promise<DisposableOverrideResponse> {
  const answer = await app
    .post(PATH, account.liveKey)
    .send({ domain, verdict: 'disposable', note: 'seen by us' })
    .expect(201);
  return answer.body as DisposableOverrideResponse;
}

async function waiting(): Promise<string[]> {
  const answer = await app.get(`${PATH}/candidates`, operator.liveKey).expect(200);
  answers.expect('GET', `${PATH}/candidates`, answer);
  return (answer.body as DisposableCandidatePage).data.map(({ domain }) => domain);
}

async function decide(id: string, decision: 'merge' | 'reject') {
  const answer = await app.post(`${PATH}/candidates/${id}/${decision}`, operator.liveKey);
  answers.expect('POST', `${PATH}/candidates/{id}/${decision}`, answer);
  return answer;
}

async function auditOf({ liveKey }: NewAccount, action: string): Promise<AuditPage['data']> {
  const answer = await app.get(`/v1/audit?action=${action}`, liveKey).expect(200);
  return (answer.body as AuditPage).data;
}

const statusOf = async (domain: string) =>
  ((await app.get(PATH, account.liveKey)).body as { data: DisposableOverrideResponse[] }).data.find(
    (override) => override.domain === domain,
  )?.status;

it('lets the operator merge an override for all teams, and no other one', async () => {
  const { id } = await anOverride('merged.example');
  expect(await waiting()).toContain('merged.example');
  const answer = await decide(id, 'merge');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ id, note: 'seen by us', mx_host: null, times_seen: 0 });
  expect(await statusOf('merged.example')).toBe('merged');
  expect(await waiting()).not.toContain('merged.example');
  const other = await app.anAccount();
  const verdict = await app.get('/v1/verify?email=jane@merged.example', other.liveKey);
  expect(verdict.body).toMatchObject({ checks: { disposable: true } });
  expectProblem(await decide(id, 'reject'), 404, 'not_found');
});

it('lets the operator reject an override, which stays with its team', async () => {
  const { id } = await anOverride('rejected.example');
  expect((await decide(id, 'reject')).status).toBe(200);
  expect(await statusOf('rejected.example')).toBe('rejected');
  const verdictOf = async (by: NewAccount) =>
    (await app.get('/v1/verify?email=jane@rejected.example', by.liveKey)).body as object;
  expect(await verdictOf(account)).toMatchObject({ checks: { disposable: true } });
  expect(await verdictOf(operator)).toMatchObject({ checks: { disposable: false } });
});

it('shows nothing to owners of other teams, and lets them decide nothing', async () => {
  const { id } = await anOverride('other.example');
  expectProblem(await app.get(`${PATH}/candidates`, account.liveKey), 403, 'role_required');
  for (const decision of ['merge', 'reject'])
    expectProblem(
      await app.post(`${PATH}/candidates/${id}/${decision}`, account.liveKey),
      403,
      'role_required',
    );
  expect(await statusOf('other.example')).toBe('pending');
});

it('records who decided in the log of the operator, and only what was decided in that of the team', async () => {
  const { id } = await anOverride('logged.example');
  await decide(id, 'merge');
  const changes = { domain: 'logged.example', verdict: 'disposable' };
  const [own] = await auditOf(operator, 'disposable.merged');
  expect(own).toMatchObject({ subject: { id }, changes });
  expect(own?.actor.user_id).not.toBeNull();
  const [teams] = await auditOf(account, 'disposable.merged');
  expect(teams).toMatchObject({ subject: { id }, changes });
  expect(Object.values(teams!.actor).filter((value) => value !== null)).toEqual([]);
});
