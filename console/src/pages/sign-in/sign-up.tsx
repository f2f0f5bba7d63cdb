import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, data } from '../../api/client';
import { useLanguage, useTexts, type Language } from '../../texts/texts';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, Field, styles } from '../../ui/ui';
import { NewKey } from './new-key';
import { useSignupMode } from './sign-in-options';

/** Creates a team, where anyone may. With a confirmation the key is one for tests, and a link is on its way. */
export function SignUp({ onBack }: { onBack: () => void }) {
  const t = useTexts();
  const language = useLanguage();
  const isConfirmed = useSignupMode() === 'confirm';
  const create = useMutation({
    mutationFn: (body: { email: string; team_name: string; language: Language }) =>
      data(api.POST('/signup', { body })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    create.mutate({ email: formText(form, 'email'), team_name: formText(form, 'team'), language });
  };
  const key = create.data?.key.key ?? null;
  if (key !== null)
    return (
      <NewKey
        apiKey={key}
        {...(isConfirmed && { note: t.signIn.confirmSent(create.variables?.email ?? '') })}
      />
    );
  return (
    <Card>
      <h1>{t.signIn.signUpTitle}</h1>
      <p className={styles.muted}>{isConfirmed ? t.signIn.signUpConfirm : t.signIn.signUpOpen}</p>
      <Form error={create.error} onSubmit={submit}>
        <Field name="email" label={t.signIn.email}>
          {(props) => (
            <input
              {...props}
              name="email"
              type="email"
              autoComplete="email"
              required
              maxLength={254}
              autoFocus
            />
          )}
        </Field>
        <Field name="team_name" label={t.signIn.teamName}>
          {(props) => <input {...props} name="team" autoComplete="organization" required maxLength={100} />}
        </Field>
        <ErrorNote error={create.error} />
        <Button type="submit" variant="primary" disabled={create.isPending}>
          {create.isPending ? t.common.working : t.signIn.signUp}
        </Button>
      </Form>
      <div>
        <Button variant="quiet" small onClick={onBack}>
          {t.signIn.haveKey}
        </Button>
      </div>
    </Card>
  );
}
