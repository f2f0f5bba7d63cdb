import {
  Day,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';
import {
  CHECK_STATUSES,
  type CheckStatus,
  type SelfCheck,
  type SelfCheckHistory,
} from '../self-checks/self-checks.service.js';
import { CheckFindingResponse, CheckRemedyResponse } from './check-sentences.dto.js';

const NAME = { example: 'dns_lists', description: 'The name, as in `rcpt doctor --json`.' };

function Status(): PropertyDecorator {
  return OneOf(CHECK_STATUSES, {
    description: '`unknown`: the check could not be made, for example because the DNS did not answer.',
  });
}

function Findings(): PropertyDecorator {
  return ListOf(() => CheckFindingResponse, {
    description:
      'What was found, by code, for readers of other languages; empty: `detail` is all that is known.',
  });
}

function Remedy(): PropertyDecorator {
  return ObjectOf(() => CheckRemedyResponse, {
    nullable: true,
    description: 'null: nothing to do, or not known.',
  });
}

@Schema('SystemCheck')
export class SystemCheckResponse {
  @Text(NAME)
  name: string;

  @Text({ example: 'direct' })
  egress: string;

  @Status()
  status: CheckStatus;

  @Time({ description: 'The first check with this status.' })
  since: string;

  @Time()
  checked_at: string;

  @Text({ description: 'What was found, and what to do, in English.' })
  detail: string;

  @Findings()
  findings: CheckFindingResponse[];

  @Remedy()
  remedy: CheckRemedyResponse | null;
}

@Schema('SystemCheckDay')
class SystemCheckDayResponse {
  @Day({ description: 'The day in UTC.' })
  date: string;

  @Status()
  status: CheckStatus;

  @Text({ nullable: true, description: 'Of the first result with this status; null: `pass`.' })
  detail: string | null;

  @Findings()
  findings: CheckFindingResponse[];

  @Remedy()
  remedy: CheckRemedyResponse | null;
}

@Schema('SystemCheckDays')
class SystemCheckDaysResponse {
  @Text(NAME)
  name: string;

  @Text({ example: 'direct' })
  egress: string;

  @ListOf(() => SystemCheckDayResponse, { description: 'The worst result of each day, the oldest first.' })
  days: SystemCheckDayResponse[];
}

@Schema('SystemCheckHistory')
export class CheckHistoryResponse {
  @Day({ description: 'The first day, in UTC.' })
  first_day: string;

  @Day({ description: 'Today, in UTC.' })
  last_day: string;

  @ListOf(() => SystemCheckDaysResponse)
  checks: SystemCheckDaysResponse[];
}

export function toCheck(check: SelfCheck): SystemCheckResponse {
  const { name, egress, status, since, checkedAt, detail } = check;
  return {
    name,
    egress,
    status,
    since: since.toISOString(),
    checked_at: checkedAt.toISOString(),
    detail,
    ...sentencesOf(check),
  };
}

/** Stored by this service, so that its codes are those of the doctor. */
const sentencesOf = ({ findings, remedy }: Pick<SelfCheck, 'findings' | 'remedy'>) => ({
  findings: findings as CheckFindingResponse[],
  remedy: remedy as CheckRemedyResponse | null,
});

export function toHistory({ firstDay, lastDay, checks }: SelfCheckHistory): CheckHistoryResponse {
  return {
    first_day: firstDay,
    last_day: lastDay,
    checks: checks.map(({ name, egress, days }) => ({
      name,
      egress,
      days: days.map((day) => ({
        date: day.day,
        status: day.status,
        ...(day.status === 'pass'
          ? { detail: null, findings: [], remedy: null }
          : { detail: day.detail, ...sentencesOf(day) }),
      })),
    })),
  };
}
