import type { Schemas } from '../../api/client';
import { keyLimitsEn } from '../../texts/team/key-limits.en';
import { useTexts } from '../../texts/texts';
import { Check, styles } from '../../ui/ui';

export type KeyScope = NonNullable<Schemas['ApiKeyCreate']['scopes']>[number];

const SCOPES: readonly KeyScope[] = ['verify', 'lists', 'read', 'webhooks', 'outcomes'];

export interface ScopeChoiceProps {
  /** null: everything. */
  value: readonly KeyScope[] | null;
  onChange: (value: readonly KeyScope[] | null) => void;
}

export function ScopeChoice({ value, onChange }: ScopeChoiceProps) {
  const t = useTexts(keyLimitsEn);
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{t.keyLimits.what}</legend>
      <Check
        type="radio"
        name="scopes"
        label={t.keyLimits.all}
        checked={value === null}
        onChange={() => onChange(null)}
      />
      <Check
        type="radio"
        name="scopes"
        label={t.keyLimits.some}
        checked={value !== null}
        onChange={() => onChange([])}
      />
      {value !== null &&
        SCOPES.map((scope) => (
          <Check
            key={scope}
            label={t.keyLimits.scopes[scope]}
            checked={value.includes(scope)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, scope] : value.filter((each) => each !== scope))
            }
          />
        ))}
    </fieldset>
  );
}
