import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { ScheduleForm } from './schedule-form';
import type { Schedule } from './schedules';

/** Adds a schedule, or changes what differs; a secret that is not entered stays. */
export function ScheduleDialog({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const t = useTexts(schedulesEn);
  return (
    <Dialog
      title={schedule === undefined ? t.schedules.create : t.schedules.editTitle}
      isPanel
      onClose={onClose}
    >
      <ScheduleForm {...(schedule !== undefined && { before: schedule })} onClose={onClose} />
    </Dialog>
  );
}
