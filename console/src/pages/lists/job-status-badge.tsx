import type { BulkJob } from '../../api/client';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useTexts } from '../../texts/texts';
import { Badge, type Tone } from '../../ui/ui';

const TONES: Record<BulkJob['status'], Tone> = {
  held: 'risky',
  queued: 'unknown',
  running: 'accent',
  completed: 'deliverable',
  canceled: 'unknown',
  failed: 'undeliverable',
};

export function JobStatusBadge({ status }: Pick<BulkJob, 'status'>) {
  const t = useTexts(listPagesEn);
  return <Badge tone={TONES[status]}>{t.job.status[status]}</Badge>;
}
