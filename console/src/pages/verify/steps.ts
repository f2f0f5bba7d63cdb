import type { QueryClient } from '@tanstack/react-query';
import { api, data, type Me, type Schemas } from '../../api/client';

const STEPS = ['verify', 'port25', 'key', 'webhook', 'form'] as const;
export type StepName = (typeof STEPS)[number];
export interface Step {
  name: StepName;
  isDone: boolean;
}

/** The most that the API has. */
const DAYS = 365;
const MAX_KEYS = 100;
const DAY_MS = 86_400_000;

/** What is done in the team, as the API says. Only the operator can examine and open port 25. */
export async function loadSteps(me: Me, client: QueryClient): Promise<Step[]> {
  const [usage, keys, webhooks, port25] = await Promise.all([
    data(api.GET('/v1/team/history', { params: { query: { days: DAYS } } })),
    data(api.GET('/v1/keys', { params: { query: { limit: MAX_KEYS } } })),
    data(api.GET('/v1/webhooks', { params: { query: { limit: 1 } } })),
    me.operator && isPort25Open(client),
  ]);
  const active = keys.data.filter(isActive);
  const isDone: Record<StepName, boolean> = {
    verify: usage.data.some(({ total }) => total > 0),
    port25,
    key: active.some((key) => key.id !== me.key.id && isForProgram(key)),
    webhook: webhooks.data.length > 0,
    form: active.some(({ kind }) => kind === 'publishable'),
  };
  return STEPS.filter((name) => name !== 'port25' || me.operator).map((name) => ({
    name,
    isDone: isDone[name],
  }));
}

/** A mail server has replied to a probe of the process, or the check that was run in this tab. */
async function isPort25Open(client: QueryClient): Promise<boolean> {
  const examined = client.getQueryData<Schemas['SystemExamination']>(['examination']);
  if (examined?.findings.some(({ check, level }) => check === 'port 25' && level === 'pass')) return true;
  const { egresses } = await data(api.GET('/v1/admin/system'));
  return egresses.some(({ probes }) => (probes.replied ?? 0) > 0);
}

const isActive = ({ revoked_at: revoked, expires_at: expires }: Schemas['Key']) =>
  revoked === null && (expires === null || new Date(expires) > new Date());

/** A key that a sign-in has created expires within a day. */
const isForProgram = ({ kind, mode, created_at: created, expires_at: expires }: Schemas['Key']) =>
  kind === 'secret' &&
  mode === 'live' &&
  (expires === null || Date.parse(expires) - Date.parse(created) > DAY_MS);
