import { ListOf, ObjectOf, OneOf, Schema, Text, Time } from '../../../platform/http/validation/fields.js';
import { FINDING_LEVELS, type Finding, type FindingLevel } from '../doctor/doctor.service.js';
import { CheckFindingResponse, CheckRemedyResponse } from './check-sentences.dto.js';
import type { Examination } from './system.service.js';

@Schema('SystemFinding')
class FindingResponse {
  @Text({ example: 'port 25' })
  check: string;

  @Text({ nullable: true, description: 'The egress that was checked, if there are several.' })
  egress: string | null;

  @OneOf(FINDING_LEVELS, { description: '`skipped`: could not be run.' })
  level: FindingLevel;

  @Text({ description: 'The result, as a sentence.' })
  found: string;

  @Text({ description: 'What depends on it.' })
  why: string;

  @Text({ nullable: true, description: 'null: nothing to do.' })
  what_to_do: string | null;

  @ListOf(() => CheckFindingResponse, { description: 'What `found` says, by code.' })
  findings: CheckFindingResponse[];

  @ObjectOf(() => CheckRemedyResponse, { nullable: true, description: 'What `what_to_do` says, by code.' })
  remedy: CheckRemedyResponse | null;
}

@Schema('SystemExamination')
export class ExaminationResponse {
  @Time()
  at: string;

  @ListOf(() => FindingResponse)
  findings: FindingResponse[];
}

export function toExamination({ at, findings }: Examination): ExaminationResponse {
  return { at: at.toISOString(), findings: findings.map(toFinding) };
}

/** As the API returns it, and `rcpt doctor --json` prints it. */
export function toFinding({ whatToDo, findings, ...finding }: Finding): FindingResponse {
  return { ...finding, what_to_do: whatToDo, findings: [...findings] };
}
