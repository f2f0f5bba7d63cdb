import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import { useLanguage, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Field } from '../../ui/ui';

/** Requests a sign-in link. @param email the address that it is probably sent to. */
export function MailForm({ email }: { email?: string }) {
  const t = useTexts();
  const language = useLanguage();
  const request = useMutation({
    mutationFn: (to: string) => api.POST('/signin', { body: { email: to, language } }),
  });
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
            <input
              {...props}
              name="email"
              type="email"
              autoComplete="email"
              defaultValue={email}
              required
              maxLength={254}
            />
          )}
        </Field>
        <ErrorNote error={request.error} />
        <Button type="submit" variant="primary" disabled={request.isPending}>
          {request.isPending ? t.common.working : t.signIn.sendLink}
        </Button>
      </Form>
      {/* Outside of the form, whose gap would show while it is empty. */}
      <div role="status">{request.isSuccess && <p>{t.signIn.mailSent}</p>}</div>
    </>
  );
}
