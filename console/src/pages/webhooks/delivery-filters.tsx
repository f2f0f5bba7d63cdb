import type { operations } from '../../../../clients/typescript/src/schema';
import { EVENT_TYPES } from '../../api/constants';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Button, Field, styles } from '../../ui/ui';

type Query = NonNullable<operations['listDeliveries']['parameters']['query']>;

/** As in the address of the page. Times are local ones without a zone, as inputs have them. */
export type DeliveryFilter = Pick<Query, 'status' | 'type' | 'from' | 'to'>;

const isTime = (text: string | undefined): text is string => text !== undefined && !isNaN(Date.parse(text));

/** As the API reads it. */
export function queryOf({ status, type, from, to }: DeliveryFilter): DeliveryFilter {
  return {
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(isTime(from) && { from: new Date(from).toISOString() }),
    ...(isTime(to) && { to: new Date(to).toISOString() }),
  };
}

interface FilterProps {
  filter: DeliveryFilter;
  /** Changes these parts; undefined: any. */
  onChange: (changes: { [Name in keyof DeliveryFilter]: DeliveryFilter[Name] | undefined }) => void;
}

export function StatusFilter({ filter, onChange }: FilterProps) {
  const t = useTexts(webhooksEn);
  return (
    <div role="group" aria-label={t.webhooks.filter} className={styles.row}>
      {([undefined, 'pending', 'succeeded', 'failed'] as const).map((status) => (
        <Button
          key={status ?? ''}
          small
          aria-pressed={status === filter.status}
          onClick={() => onChange({ status })}
        >
          {status === undefined ? t.webhooks.all : t.webhooks.status[status]}
        </Button>
      ))}
    </div>
  );
}

export function TypeAndTime({ filter, onChange }: FilterProps) {
  const t = useTexts(webhooksEn);
  return (
    <div className={styles.row}>
      <Field label={t.webhooks.type}>
        {(props) => (
          <select
            {...props}
            value={filter.type ?? ''}
            onChange={({ target }) => onChange({ type: EVENT_TYPES.find((type) => type === target.value) })}
          >
            <option value="">{t.webhooks.anyType}</option>
            {EVENT_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
      </Field>
      {(['from', 'to'] as const).map((name) => (
        <Field key={name} label={t.webhooks[name]}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              value={filter[name] ?? ''}
              onChange={({ target }) => onChange({ [name]: target.value || undefined })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
