import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { notice } from '../../ui/notice';
import { ErrorNote } from '../../ui/query-result';
import { Button, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ScheduleDialog } from './schedule-dialog';
import { setEnabled } from './schedule-text';
import { isUnderWay, queriesOf, useMaySchedule, type Schedule } from './schedules';

/** Runs, edits, enables and deletes a schedule. */
export function ScheduleActions({
  schedule,
  isPrimary = false,
  onDeleted,
}: {
  schedule: Schedule;
  isPrimary?: boolean;
  onDeleted?: () => Promise<void>;
}) {
  const t = useTexts(schedulesEn);
  const client = useQueryClient();
  const { mayChange, mayRun } = useMaySchedule();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const { id, name, enabled, last_run: lastRun } = schedule;
  const params = { path: { id } };
  const run = useApiMutation(() => api.POST('/v1/schedules/{id}/run', { params }), queriesOf(id));
  const enable = useApiMutation((isOn: boolean) => setEnabled(id, isOn), queriesOf(id));
  const disable = () =>
    enable.mutate(false, {
      onSuccess: () =>
        notice.set({ text: t.schedules.nowDisabled(name), undo: () => enable.mutateAsync(true) }),
    });
  const erase = async () => {
    await api.DELETE('/v1/schedules/{id}', { params });
    await client.invalidateQueries({ queryKey: ['schedules'] });
    await onDeleted?.();
    client.removeQueries({ queryKey: ['schedule', id] });
  };
  if (!mayChange) return null;
  return (
    <>
      <div className={styles.row}>
        {mayRun && (
          <Button
            {...(isPrimary && { variant: 'primary' })}
            aria-label={`${t.schedules.run}: ${name}`}
            disabled={run.isPending || isUnderWay(lastRun)}
            onClick={() => run.mutate()}
          >
            {t.schedules.run}
          </Button>
        )}
        <Menu label={t.schedules.actions(name)} button={<Icon name="more" />}>
          <MenuItem onSelect={() => setDialog('edit')}>{t.schedules.edit}</MenuItem>
          <MenuItem onSelect={() => (enabled ? disable() : enable.mutate(true))}>
            {enabled ? t.schedules.disable : t.schedules.enable}
          </MenuItem>
          <MenuItem isDangerous onSelect={() => setDialog('delete')}>
            {t.common.delete}
          </MenuItem>
        </Menu>
      </div>
      <ErrorNote error={run.error ?? enable.error} />
      {dialog === 'edit' && <ScheduleDialog schedule={schedule} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t.schedules.deleteTitle}
          question={t.schedules.deleteAsk(name)}
          confirm={t.schedules.deleteTitle}
          onConfirm={erase}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
