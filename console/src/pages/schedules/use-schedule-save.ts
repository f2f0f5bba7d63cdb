import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data } from '../../api/client';
import { ApiError } from '../../api/problem';
import { useApiMutation } from '../../ui/use-api-mutation';
import type { ScheduleCheck } from './schedule-check';
import { changesOf, type ScheduleFields } from './schedule-fields';
import { queriesOf, type Schedule } from './schedules';

/** Adds a schedule, or changes what differs; a source is read before it is stored, unless it was read just before. */
export function useScheduleSave(schedule: Schedule | undefined, onSaved: () => void) {
  /** The source that the last check was about, as JSON. */
  const [checked, setChecked] = useState<string | null>(null);
  const read = useMutation({
    mutationFn: (fields: ScheduleFields): Promise<ScheduleCheck> => {
      if (schedule === undefined) return data(api.POST('/v1/schedules/check', { body: fields }));
      const { source } = changesOf(schedule, fields);
      const params = { path: { id: schedule.id } };
      return data(
        api.POST('/v1/schedules/{id}/check', { params, body: source === undefined ? {} : { source } }),
      );
    },
  });
  const store = useApiMutation(
    async (fields: ScheduleFields) => {
      if (schedule === undefined) return api.POST('/v1/schedules', { body: fields });
      const body = changesOf(schedule, fields);
      if (Object.keys(body).length === 0) return;
      return api.PATCH('/v1/schedules/{id}', { params: { path: { id: schedule.id } }, body });
    },
    queriesOf(schedule?.id ?? ''),
  );
  const keep = (fields: ScheduleFields) => {
    read.reset();
    store.mutate(fields, { onSuccess: onSaved });
  };
  const check = (fields: ScheduleFields, onReadable?: () => void) => {
    store.reset();
    setChecked(JSON.stringify(fields.source));
    read.mutate(fields, { onSuccess: ({ ok }) => ok && onReadable?.() });
  };
  const isReadable = (fields: ScheduleFields) =>
    read.data?.ok === true && checked === JSON.stringify(fields.source);
  const hasSource = (fields: ScheduleFields) =>
    schedule === undefined || changesOf(schedule, fields).source !== undefined;
  return {
    check,
    save: (fields: ScheduleFields) =>
      hasSource(fields) && !isReadable(fields) ? check(fields, () => keep(fields)) : keep(fields),
    saveAnyway: keep,
    /** What was checked is not what the form has any more. */
    forget: read.reset,
    found: read.data,
    isChecking: read.isPending,
    isBusy: read.isPending || store.isPending,
    error: store.error ?? read.error,
    /** It could not be read, or not be tried; what is wrong with a field is no such failure. */
    hasFailed: (read.isError && !hasFieldErrors(read.error)) || read.data?.ok === false,
  };
}

const hasFieldErrors = (error: Error) => error instanceof ApiError && (error.problem.errors ?? []).length > 0;
