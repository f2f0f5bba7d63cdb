import { STATUSES, type Status } from '../../../../kernel/verdict.js';
import {
  Count,
  CountsBy,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
} from '../../../../platform/http/validation/fields.js';
import {
  BREAKDOWNS,
  LARGEST_GROUPS,
  type Breakdown,
  type BreakdownBy,
  type Group,
} from '../domain/breakdown.js';

export class BreakdownQuery {
  @OneOf(BREAKDOWNS, { default: 'domain', description: 'What the rows are grouped by.' })
  by: BreakdownBy = 'domain';
}

@Schema('BulkGroupRows')
class BulkGroupRows {
  @Count('Rows with a verdict, including duplicates.')
  rows: number;

  @CountsBy(STATUSES, { description: 'Rows, including duplicates.' })
  by_status: Partial<Record<Status, number>>;
}

@Schema('BulkGroup')
class BulkGroup extends BulkGroupRows {
  @Text({
    nullable: true,
    description: 'The domain as it was sent, in lower case, or the provider; null: none.',
    example: 'example.com',
  })
  name: string | null;
}

@Schema('BulkBreakdown')
export class BulkBreakdownResponse {
  @OneOf(BREAKDOWNS, {})
  by: BreakdownBy;

  @ListOf(() => BulkGroup, { description: `The ${LARGEST_GROUPS} groups with the most rows, in this order.` })
  groups: BulkGroup[];

  @ObjectOf(() => BulkGroupRows, { description: 'The rows of all other groups.' })
  other: BulkGroupRows;
}

export function toBreakdownResponse(by: BreakdownBy, { largest, other }: Breakdown): BulkBreakdownResponse {
  const groups = largest.map((group) => ({ name: group.name, ...toRows(group) }));
  return { by, groups, other: toRows(other) };
}

function toRows({ rows, byStatus }: Group): BulkGroupRows {
  return { rows, by_status: byStatus };
}
