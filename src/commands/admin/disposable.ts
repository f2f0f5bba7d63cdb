import { parseDomainName } from '../../kernel/text/domain-name.js';
import {
  DisposableService,
  type DisposableOverride,
} from '../../modules/verification/disposable/disposable.service.js';
import { toResponse } from '../../modules/verification/disposable/disposable.dto.js';
import { DisposableModule } from '../../modules/verification/disposable/disposable.module.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

export async function listPendingOverrides(options: Format): Promise<void> {
  await withDatabase([DisposableModule], async (services) => {
    const pending = await services(DisposableService).pending();
    print(options, pending.map(toJson), () => pending.map(toLine).join('\n') || 'nothing is pending');
  });
}

export async function addOverride(
  domain: string,
  options: Format & { not?: true; note?: string },
): Promise<void> {
  const parsedDomain = domainOf(domain);
  const verdict = options.not === true ? 'not_disposable' : 'disposable';
  const note = options.note ?? null;
  await withDatabase([DisposableModule], async (services) => {
    await services(DisposableService).addForOperator({ domain: parsedDomain, verdict, note });
    print(options, { domain: parsedDomain, verdict, note }, () => effectLine(parsedDomain, verdict));
  });
}

/**
 * Merges or rejects pending overrides, selected by domain or id. Without arguments it selects all
 * disposable candidates found by the engine: an override of a team is merged only when it is named.
 */
export async function mergeOverrides(
  names: readonly string[],
  options: Format & { reject?: true },
): Promise<void> {
  await withDatabase([DisposableModule], async (services) => {
    const disposable = services(DisposableService);
    const pending = await disposable.pending();
    const selected =
      names.length === 0
        ? pending.filter(({ teamId }) => teamId === null)
        : names.flatMap((name) => selectedBy(name, pending));
    const done: DisposableOverride[] = [];
    for (const { id } of selected) {
      const override = options.reject ? await disposable.reject(id) : await disposable.merge(id);
      // Another operator may have been faster.
      if (override !== null) done.push(override);
    }
    const lineOf = ({ domain, verdict }: DisposableOverride) =>
      options.reject ? `${domain}: rejected` : effectLine(domain, verdict);
    print(options, done.map(toJson), () => done.map(lineOf).join('\n') || 'nothing is pending');
  });
}

function selectedBy(name: string, pending: readonly DisposableOverride[]): DisposableOverride[] {
  const byId = pending.filter(({ id }) => id === name);
  if (byId.length > 0) return byId;
  const parsed = parseDomainName(name);
  const found = parsed.ok ? pending.filter(({ domain }) => domain === parsed.domain) : [];
  if (found.length === 0) throw new UsageError(`nothing with the id or domain ${name} is pending`);
  if (new Set(found.map(({ verdict }) => verdict)).size > 1)
    throw new UsageError(
      `several teams have different overrides for ${name}; name the id of the one to merge`,
    );
  return found;
}

/** @throws UsageError */
export function domainOf(text: string): string {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new UsageError('not a valid domain name; write it as in example.com');
  return parsed.domain;
}

function effectLine(domain: string, verdict: string): string {
  return `${domain} is ${verdict} for every team; running services apply it within 5 seconds.`;
}

function toJson(override: DisposableOverride): object {
  return {
    ...toResponse(override),
    team_id: override.teamId,
    mx_host: override.mxHost,
    times_seen: override.timesSeen,
    last_seen_at: override.lastSeenAt?.toISOString() ?? null,
  };
}

function toLine(override: DisposableOverride): string {
  const { id, domain, verdict, teamId, note, mxHost, timesSeen, createdAt } = override;
  const since = createdAt.toISOString().slice(0, 10);
  const why =
    mxHost === null
      ? [`team ${teamId}`, `since ${since}`, note ?? '']
      : [`its mail goes to ${mxHost}`, `seen ${timesSeen} times since ${since}`];
  return [id, domain, verdict, ...why].join('  ').trimEnd();
}
