import { useEffect, useState } from 'react';
import { forgetEnd, sessionEnd } from '../../api/client';
import { signIn } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';
import { KeyForm } from './key-form';
import { MailForm } from './mail-form';
import { ProviderLink } from './provider-link';
import { useSignInOptions } from './sign-in-options';

/** The ways for people first. Where the service has neither, a key is the only one. */
export function SignInWays({ email }: { email?: string }) {
  const t = useTexts();
  const options = useSignInOptions();
  const [error] = useState<string | null>(sessionEnd);
  // Once it is shown: a render can begin more than once.
  useEffect(forgetEnd, []);
  if (options === undefined) return null;
  const keyForm = (
    <KeyForm
      label={t.signIn.key}
      hint={t.signIn.keyHint}
      submit={t.signIn.submit}
      firstError={error}
      onKey={signIn}
    />
  );
  if (!options.oidc && !options.by_mail) return keyForm;
  return (
    <>
      {options.oidc && <ProviderLink />}
      {options.by_mail && <MailForm {...(email !== undefined && { email })} />}
      {/* Somebody whose key has ended has used one. */}
      <details open={error !== null} className={styles.stack}>
        <summary>{t.signIn.otherWays}</summary>
        {keyForm}
      </details>
    </>
  );
}
