import type { Schemas } from '../../api/client';
import { keyLimitsEn } from '../../texts/team/key-limits.en';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';

/** What a key is limited to, in words; nothing for a key without limits. */
export function KeyLimits({ apiKey: { scopes, allowed_cidrs: networks } }: { apiKey: Schemas['Key'] }) {
  const t = useTexts(keyLimitsEn);
  const uses = scopes === null || scopes.includes('all') ? [] : scopes;
  return (
    <>
      {uses.length > 0 && (
        <div className={styles.muted}>
          {t.keyLimits.only(uses.map((scope) => t.keyLimits.scopes[scope]).join('; '))}
        </div>
      )}
      {networks !== null && <div className={styles.muted}>{t.keyLimits.from(networks.join(', '))}</div>}
    </>
  );
}
