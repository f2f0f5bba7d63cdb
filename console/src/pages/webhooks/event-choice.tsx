import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Check, styles } from '../../ui/ui';
import { SELECTABLE_EVENTS, type SelectableEvent } from './selectable-events';

export interface EventChoiceProps {
  /** null: all events, also those of later versions. */
  value: readonly SelectableEvent[] | null;
  onChange: (value: readonly SelectableEvent[] | null) => void;
}

export function EventChoice({ value, onChange }: EventChoiceProps) {
  const t = useTexts(webhooksEn);
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{t.webhooks.events}</legend>
      <Check
        type="radio"
        name="events"
        label={t.webhooks.allEvents}
        checked={value === null}
        onChange={() => onChange(null)}
      />
      <Check
        type="radio"
        name="events"
        label={t.webhooks.selectedEvents(value?.length ?? 0, SELECTABLE_EVENTS.length)}
        checked={value !== null}
        onChange={() => onChange([])}
      />
      {value !== null &&
        SELECTABLE_EVENTS.map((type) => (
          <Check
            key={type}
            label={
              <>
                <code>{type}</code> <span className={styles.muted}>{t.webhooks.eventTexts[type]}</span>
              </>
            }
            checked={value.includes(type)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, type] : value.filter((each) => each !== type))
            }
          />
        ))}
    </fieldset>
  );
}
