import { BASE } from '../../api/connection';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';

/** Leads to the identity provider of the operator. */
export function ProviderLink() {
  const t = useTexts();
  return (
    <>
      <h2>{t.signIn.byProvider}</h2>
      <p className={styles.muted}>{t.signIn.byProviderHint}</p>
      <div>
        <a className={styles.button} href={`${BASE}signin/oidc`}>
          {t.signIn.toProvider}
        </a>
      </div>
    </>
  );
}
