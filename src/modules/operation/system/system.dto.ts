import type { Reading } from '../../../kernel/meter.js';
import { NOT_DIALLED, sentenceOf, type NotDialled } from '../../../engine/limits/not-dialled.js';
import { REASONS, STATUSES } from '../../../kernel/verdict.js';
import { INSTALLATION } from '../../../platform/installation/installation.js';
import {
  Count,
  CountsBy,
  DecimalNumber,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';
import { toCheck, SystemCheckResponse } from './checks.dto.js';
import type { SystemState } from './system.service.js';

const SCOPES = ['domain', 'host', 'provider', 'egress'] as const;
const CAUSES = ['rejected', 'unreachable'] as const;
const OUTCOMES = ['replied', 'rejected', 'no_reply', 'egress_failed', 'no_route'] as const;

function Seconds(description: string): PropertyDecorator {
  return DecimalNumber({ description, min: 0, max: Number.MAX_SAFE_INTEGER, message: 'Send seconds.' });
}

function BlockedBy(): PropertyDecorator {
  return OneOf(NOT_DIALLED, {
    nullable: true,
    description:
      'Why no connection is opened: the smallest limit for which requests wait, or what refuses or is refused; null: nothing prevents one.',
  });
}

function BlockedReason(): PropertyDecorator {
  return Text({
    nullable: true,
    example: 'all sessions that the provider allows are in use',
    description: 'What `blocked_by` means.',
  });
}

@Schema('SystemPart')
class SystemPartResponse {
  @Text({ example: 'database' })
  name: string;

  @OneOf(['ok', 'degraded'])
  status: 'ok' | 'degraded';

  @Text({ nullable: true, description: 'The cause of `degraded`, if the name does not say it.' })
  reason: string | null;
}

@Schema('SystemQueue')
class SystemQueueResponse {
  @Text({ example: 'bulk' })
  name: string;

  @Count('Jobs that wait.')
  waiting: number;

  @Count('Jobs that are being processed.')
  active: number;

  @Seconds('Age of the oldest waiting job; 0: none waits.')
  oldest_seconds: number;
}

@Schema('SystemWarmup')
class SystemWarmupResponse {
  @Text({ example: 'google' })
  provider: string;

  @Count('Probes that may be sent today.')
  ceiling: number;

  @Count('Probes sent today by all processes, as last seen.')
  used: number;
}

@Schema('SystemEgress')
class SystemEgressResponse {
  @Text({ example: 'direct' })
  name: string;

  @OneOf(CAUSES, { nullable: true, description: 'Why it is not used; null: it is used.' })
  cause: (typeof CAUSES)[number] | null;

  @Seconds('Until it is used again by every team; 0: it is not paused.')
  pause_seconds: number;

  @BlockedBy()
  blocked_by: NotDialled | null;

  @BlockedReason()
  reason: string | null;

  @CountsBy(OUTCOMES, { complete: true, description: 'Probes by outcome, by this process since its start.' })
  probes: Record<string, number>;

  @ListOf(() => SystemWarmupResponse, { description: 'Daily ceilings of a new egress.' })
  warmup: SystemWarmupResponse[];
}

@Schema('SystemBreakers')
class SystemBreakersResponse {
  @OneOf(SCOPES)
  scope: string;

  @Text({ nullable: true, example: 'google', description: 'null: another server, or not known.' })
  provider: string | null;

  @Count('Open for at least one team.')
  open: number;

  @Text({
    description: 'Why these are not dialled.',
    example: 'the provider has refused us, and is probed again later',
  })
  reason: string;
}

@Schema('SystemProvider')
class SystemProviderResponse {
  @Text({ example: 'google', description: '`other`: all providers that are not in the table of providers.' })
  provider: string;

  @Text({ example: 'direct' })
  egress: string;

  @Count('Sessions that the provider allows, as configured or, after it has rejected some, as observed.')
  limit: number;

  @Count('Sessions that processes may have now.')
  used: number;

  @Count('Requests that wait for a session, as last reported.')
  waiting: number;

  @BlockedBy()
  blocked_by: NotDialled | null;

  @BlockedReason()
  reason: string | null;
}

@Schema('SystemVerdicts')
class SystemVerdictsResponse {
  @Count('All verdicts of this process since its start.')
  total: number;

  @CountsBy(STATUSES, { complete: true })
  by_status: Record<string, number>;

  @CountsBy(REASONS)
  unknown_by_reason: Record<string, number>;
}

@Schema('System')
export class SystemResponse {
  @Time()
  at: string;

  @Text({
    description:
      'How the command line is called on the machine of the service, before the words of a command.',
    example: 'rcpt',
  })
  command: string;

  @ListOf(() => SystemPartResponse)
  parts: SystemPartResponse[];

  @ListOf(() => SystemCheckResponse, {
    description:
      'The last result of each check of each egress; empty: none was made yet, or `SELF_CHECK_EVERY` is 0.',
  })
  checks: SystemCheckResponse[];

  @ListOf(() => SystemQueueResponse)
  queues: SystemQueueResponse[];

  @ListOf(() => SystemEgressResponse)
  egresses: SystemEgressResponse[];

  @ListOf(() => SystemProviderResponse, {
    description: 'Providers with work, by egress. `breakers` says which are paused.',
  })
  providers: SystemProviderResponse[];

  @ListOf(() => SystemBreakersResponse, { description: 'Open circuit breakers.' })
  breakers: SystemBreakersResponse[];

  @ObjectOf(() => SystemVerdictsResponse)
  verdicts: SystemVerdictsResponse;
}

export function toResponse({ at, parts, checks, queues, mailServers, counted }: SystemState): SystemResponse {
  const { verdicts, probes } = counted;
  return {
    at: at.toISOString(),
    command: INSTALLATION.command,
    parts,
    checks: checks.map(toCheck),
    queues: queues.map(({ name, waiting, active, oldestWaitingSeconds }) => ({
      name,
      waiting,
      active,
      oldest_seconds: oldestWaitingSeconds ?? 0,
    })),
    egresses: mailServers.egresses.map(({ name, trouble, pauseSeconds, notDialled, warmup }) => ({
      name,
      cause: trouble === 'port_closed' ? null : trouble,
      pause_seconds: pauseSeconds,
      ...blockedBy(notDialled),
      probes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, sumOf(probes, name, outcome)])),
      warmup: [...warmup],
    })),
    providers: mailServers.providers.map(({ provider, egress, limit, used, waiting, notDialled }) => ({
      provider,
      egress,
      limit,
      used,
      waiting,
      ...blockedBy(notDialled),
    })),
    breakers: mailServers.breakers.map((breaker) => ({ ...breaker, reason: sentenceOf('breaker') })),
    verdicts: {
      total: sumOf(verdicts),
      by_status: Object.fromEntries(STATUSES.map((status) => [status, sumOf(verdicts, status)])),
      unknown_by_reason: Object.fromEntries(
        verdicts
          .filter(({ labels }) => labels[0] === 'unknown')
          .map(({ labels: [, reason = ''], value }) => [reason, value]),
      ),
    },
  };
}

function blockedBy(reason: NotDialled | null) {
  return { blocked_by: reason, reason: reason && sentenceOf(reason) };
}

/** The sum of the values whose first labels are these. */
function sumOf(readings: readonly Reading[], ...labels: readonly string[]): number {
  const matching = readings.filter((reading) =>
    labels.every((label, index) => reading.labels[index] === label),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}
