import { BASE } from '../../api/connection';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';
import { useSignInOptions } from './sign-in-options';

/** Leads to the identity provider, where one is configured. */
export function ProviderLink() {
  const t = useTexts();
  const options = useSignInOptions();
  if (options?.oidc !== true) return null;
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
