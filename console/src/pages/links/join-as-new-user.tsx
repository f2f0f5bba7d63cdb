import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, data } from '../../api/client';
import { ApiError } from '../../api/problem';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field } from '../../ui/ui';

/** A new user joins the team of the invite and gets a key. */
export function JoinAsNewUser({
  token,
  email,
  onKey,
  onAccount,
}: {
  token: string;
  email: string;
  onKey: (key: string) => void;
  /** The address belongs to an account. */
  onAccount: () => void;
}) {
  const t = useTexts(peopleEn);
  const join = useMutation({
    mutationFn: (body: { email: string; invite_token: string }) => data(api.POST('/signup', { body })),
    onSuccess: ({ key: { key } }) => key !== null && onKey(key),
    onError: (error) => error instanceof ApiError && error.code === 'signup_refused' && onAccount(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    join.mutate({ email: formText(event.currentTarget, 'email'), invite_token: token });
  };
  return (
    <Form error={join.error} onSubmit={submit}>
      <Field name="email" label={t.signIn.email} hint={t.invite.addressHint}>
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
      <ErrorNote error={join.error} />
      <Button type="submit" variant="primary" disabled={join.isPending}>
        {join.isPending ? t.common.working : t.signIn.accept}
      </Button>
    </Form>
  );
}
