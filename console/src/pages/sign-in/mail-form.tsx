import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Field } from '../../ui/ui';
import { useSignInOptions } from './sign-in-options';

/** Requests a sign-in link, where the service sends mail. */
export function MailForm() {
  const t = useTexts();
  const options = useSignInOptions();
  const request = useMutation({ mutationFn: (email: string) => api.POST('/signin', { body: { email } }) });
  if (options?.by_mail !== true) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.mutate(formText(event.currentTarget, 'email'));
  };
  return (
    <>
      <h2>{t.signIn.byMail}</h2>
      <Form error={request.error} onSubmit={submit}>
        <Field name="email" label={t.signIn.email} hint={t.signIn.byMailHint}>
          {(props) => (
            <input {...props} name="email" type="email" autoComplete="email" required maxLength={254} />
          )}
        </Field>
        <ErrorNote error={request.error} />
        <p role="status">{request.isSuccess && t.signIn.mailSent}</p>
        <Button type="submit" disabled={request.isPending}>
          {request.isPending ? t.common.working : t.signIn.sendLink}
        </Button>
      </Form>
    </>
  );
}
