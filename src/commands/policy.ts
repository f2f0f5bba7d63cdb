import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { DECISIONS } from '../kernel/verdict.js';
import type { PolicyPreviewResponse } from '../modules/lists/policy-preview/policy-preview.dto.js';
import type { PolicyResponse } from '../modules/verification/policy/policy.dto.js';
import { requireService, type ServiceClient, type Shape } from './service-client.js';
import { isStandardInput, plural, print, UsageError, type Format } from './terminal.js';

interface ServiceOption {
  url?: string;
}

const PATH = '/v1/policy';
const POLICY = { rules: [{ id: 'string' }] } satisfies Shape<PolicyResponse>;
const PREVIEW = {
  verdicts: 'number',
  changed: 'number',
  by_decision: { accept: 'number', review: 'number', reject: 'number' },
  by_decision_before: { accept: 'number', review: 'number', reject: 'number' },
  examples: [{ reason: 'string', before: 'string', after: 'string' }],
} satisfies Shape<PolicyPreviewResponse>;

export async function printPolicy({ url }: ServiceOption): Promise<void> {
  const policy = await call<PolicyResponse>(requireService(url), PATH, {}, POLICY);
  print({ json: true }, policy, () => '');
}

export async function replacePolicy(file: string, { url, json }: ServiceOption & Format): Promise<void> {
  const client = requireService(url);
  const body = JSON.stringify(await membersIn(file));
  const policy = await call<PolicyResponse>(client, PATH, { method: 'PUT', body }, POLICY);
  print({ ...(json && { json }) }, policy, () => `The policy has ${plural(policy.rules.length, 'rule')}.`);
}

export async function previewPolicy(
  file: string,
  { url, days, json }: ServiceOption & Format & { days: string },
): Promise<void> {
  const client = requireService(url);
  const { rules } = await membersIn(file);
  // The service says what is wrong with a text that is no number.
  const body = JSON.stringify({ rules, days: /^\d+$/.test(days) ? Number(days) : days });
  const request = { method: 'POST', body };
  const preview = await call<PolicyPreviewResponse>(client, `${PATH}/preview`, request, PREVIEW);
  print({ ...(json && { json }) }, preview, () => describe(preview, days));
}

async function call<T extends object>(
  client: ServiceClient,
  path: string,
  request: { method?: string; body?: string },
  shape: Shape<T>,
): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await client.request(path, { ...request, ...(request.body !== undefined && { headers }) });
  if (response.status !== 200) throw await client.refusalOf(response);
  return client.answer<T>(response, shape);
}

/** @throws UsageError when it is no JSON object. */
async function membersIn(file: string): Promise<{ rules?: unknown }> {
  const bytes = isStandardInput(file) ? await buffer(process.stdin) : await readFile(file);
  const name = isStandardInput(file) ? 'standard input' : file;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UsageError(`${name} is not JSON; write {"rules": […]}, as rcpt policy get prints it`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} is no object; write {"rules": […]}, as rcpt policy get prints it`);
  return value;
}

function describe(preview: PolicyPreviewResponse, days: string): string {
  const { verdicts, changed, examples, complete } = preview;
  const decisions = DECISIONS.map((name) => {
    const [before, after] = [preview.by_decision_before[name], preview.by_decision[name]];
    return `${name.padEnd(8)}${before === after ? String(after) : `${before} → ${after}`}`;
  });
  const lines = examples.map(
    ({ reason, domain, before, after, rule }) =>
      `${domain ?? 'no address'} (${reason}): ${before} → ${after}, ${rule ?? 'no rule'}`,
  );
  const some = complete ? '' : ' The newest of them; there are more.';
  return [
    `${plural(verdicts, 'verdict')} of lists of the last ${plural(Number(days), 'day')}: ${changed} would change.${some}`,
    ...decisions,
    ...(lines.length === 0 ? [] : ['', 'Examples:', ...lines]),
  ].join('\n');
}
