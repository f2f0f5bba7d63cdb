import { PickType } from '@nestjs/swagger';
import { pageOf } from '../../../platform/http/paging/cursor.js';
import {
  Count,
  DomainName,
  Id,
  OneOf,
  Remark,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';
import {
  OVERRIDE_STATUSES,
  OVERRIDE_VERDICTS,
  type DisposableOverride,
  type OverrideStatus,
  type OverrideVerdict,
} from './domain/disposable-override.js';

@Schema('DisposableOverrideAdd')
export class DisposableOverrideAdd {
  @DomainName()
  domain: string;

  @OneOf(OVERRIDE_VERDICTS)
  verdict: OverrideVerdict;

  @Remark(200, {
    default: null,
    description: 'The reason, for the operator who reviews it.',
    example: 'Our own test domain',
  })
  note: string | null = null;
}

export class OverriddenDomain extends PickType(DisposableOverrideAdd, ['domain']) {}

@Schema('DisposableOverride')
export class DisposableOverrideResponse {
  @Id('dsp')
  id: string;

  @Text({ description: 'A-label, lower case; covers its subdomains.', example: 'example.com' })
  domain: string;

  @OneOf(OVERRIDE_VERDICTS)
  verdict: OverrideVerdict;

  @Text({ nullable: true, example: 'Our own test domain' })
  note: string | null;

  @OneOf(OVERRIDE_STATUSES, {
    description:
      'The override always applies to the team. `merged`: the operator applies it to all teams; `rejected`: the operator does not.',
  })
  status: OverrideStatus;

  @Time()
  created_at: string;

  @Id('usr', { nullable: true, description: 'The user; null: a service key.' })
  created_by: string | null;
}

@Schema('DisposableOverridePage')
export class DisposableOverridePage extends pageOf(DisposableOverrideResponse) {}

@Schema('DisposableCandidate')
export class DisposableCandidateResponse extends PickType(DisposableOverrideResponse, [
  'id',
  'domain',
  'verdict',
  'note',
  'created_at',
]) {
  @Id('team', {
    nullable: true,
    description: 'The team that it applies to; null: the engine found the domain.',
  })
  team_id: string | null;

  @Text({
    nullable: true,
    description: 'The mail server by which the engine found it.',
    example: 'mx.example.com',
  })
  mx_host: string | null;

  @Count('How often the engine found it.')
  times_seen: number;
}

@Schema('DisposableCandidatePage')
export class DisposableCandidatePage extends pageOf(DisposableCandidateResponse) {}

export class CandidateId {
  @Id('dsp')
  id: string;
}

@Schema('PendingOverrides')
export class PendingOverrides {
  @Count('Overrides of the team that the operator has not reviewed.')
  pending: number;
}

export function toResponse(override: DisposableOverride): DisposableOverrideResponse {
  const { id, domain, verdict, note, status, createdAt, createdBy } = override;
  return { id, domain, verdict, note, status, created_at: createdAt.toISOString(), created_by: createdBy };
}

export function toCandidate(override: DisposableOverride): DisposableCandidateResponse {
  const { id, domain, verdict, note, createdAt, teamId, mxHost, timesSeen } = override;
  const found = { team_id: teamId, mx_host: mxHost, times_seen: timesSeen };
  return { id, domain, verdict, note, created_at: createdAt.toISOString(), ...found };
}
