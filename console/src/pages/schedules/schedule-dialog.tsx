import { api } from '../../api/client';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { useApiMutation } from '../../ui/use-api-mutation';
import { changesOf, type ScheduleFields } from './schedule-fields';
import { ScheduleForm } from './schedule-form';
import { queriesOf, type Schedule } from './schedules';

/** Adds a schedule, or changes what differs; a secret that is not entered stays. */
export function ScheduleDialog({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const t = useTexts(schedulesEn);
  const save = useApiMutation(
    async (fields: ScheduleFields) => {
      if (schedule === undefined) return api.POST('/v1/schedules', { body: fields });
      const body = changesOf(schedule, fields);
      if (Object.keys(body).length === 0) return;
      return api.PATCH('/v1/schedules/{id}', { params: { path: { id: schedule.id } }, body });
    },
    queriesOf(schedule?.id ?? ''),
  );
  return (
    <Dialog
      title={schedule === undefined ? t.schedules.create : t.schedules.editTitle}
      isPanel
      onClose={onClose}
    >
      <ScheduleForm
        {...(schedule !== undefined && { before: schedule })}
        submit={schedule === undefined ? t.schedules.create : t.common.save}
        error={save.error}
        isBusy={save.isPending}
        onSubmit={(fields) => save.mutate(fields, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
