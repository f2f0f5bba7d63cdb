import { parseDomainName } from '../kernel/domain-name.js';
import { DisposableService } from '../modules/disposable/disposable.service.js';
import type { DisposableOverride } from '../modules/disposable/domain/disposable-override.js';
import { toResponse } from '../modules/disposable/disposable.dto.js';
import { print, UsageError, withServices, type Format } from './terminal.js';

export async function listPendingOverrides(options: Format): Promise<void> {
  await withServices(async (services) => {
    const pending = await services(DisposableService).pending();
    const answer = pending.map((override) => ({ ...toResponse(override), team_id: override.teamId }));
    print(options, answer, () => pending.map(inOneLine).join('\n') || 'nothing waits');
  });
}

export async function addOverride(domain: string, options: Format & { not?: true }): Promise<void> {
  const parsed = parseDomainName(domain);
  if (!parsed.ok) throw new UsageError('that is no domain name; write it as in example.com');
  const verdict = options.not === true ? 'not_disposable' : 'disposable';
  await withServices(async (services) => {
    await services(DisposableService).decree(parsed.domain, verdict);
    print(options, { domain: parsed.domain, verdict }, () => inForce(parsed.domain, verdict));
  });
}

export async function mergeOverride(id: string, options: Format): Promise<void> {
  await withServices(async (services) => {
    const merged = await services(DisposableService).merge(id);
    if (merged === null) throw new UsageError('no override with this id is pending');
    print(options, { ...toResponse(merged), team_id: merged.teamId }, () =>
      inForce(merged.domain, merged.verdict),
    );
  });
}

function inForce(domain: string, verdict: string): string {
  return `${domain} is ${verdict} for every team; running services know it within 5 seconds.`;
}

function inOneLine({ id, domain, verdict, teamId, note }: DisposableOverride): string {
  return [id, domain, verdict, teamId ?? 'the engine', note ?? ''].join('  ').trimEnd();
}
