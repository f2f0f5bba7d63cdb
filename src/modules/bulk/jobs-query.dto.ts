import { PageQuery } from '../../platform/http/paging/cursor.js';
import { OneOf, SearchText } from '../../platform/http/validation/fields.js';
import { JOB_STATUSES, type JobStatus } from './domain/bulk-job.js';

export class JobsQuery extends PageQuery {
  @OneOf(JOB_STATUSES, { optional: true, description: 'Only jobs of this status.' })
  status?: JobStatus;

  @SearchText({
    optional: true,
    description: 'Only jobs whose name contains this text, in upper or lower case.',
    example: 'newsletter',
  })
  q?: string;
}
