import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, data, type Verdict } from '../../api/client';
import { BASE } from '../../api/connection';
import { publishableEn } from '../../texts/team/publishable.en';
import { useTexts } from '../../texts/texts';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Copy, Field, styles } from '../../ui/ui';

/** A form that works with the widget of this service as it is: also with Enter, and with a stored address. */
const htmlOf = (key: string) => `<script src="${BASE}rcpt.js" data-key="${key}" defer></script>

<form action="/join" method="post">
  <label for="email">Email</label>
  <input id="email" name="email" type="email" autocomplete="email" required
    data-rcpt data-rcpt-wait="1000" data-rcpt-message="email-message">
  <p id="email-message" class="rcpt-message"></p>
  <button>Join</button>
</form>`;

/** What to paste into a page for a publishable key, and what a visitor of this page will see. */
export function FormHtml({ apiKey }: { apiKey: string }) {
  const t = useTexts(publishableEn);
  return (
    <>
      <Copy text={htmlOf(apiKey)} label={t.publishable.html} />
      <p className={styles.muted}>{t.publishable.wait}</p>
      <p className={styles.muted}>
        {t.publishable.guide}{' '}
        <a href={`${BASE}docs`} target="_blank" rel="noreferrer">
          {t.publishable.docs}
        </a>
      </p>
      <TryOut />
    </>
  );
}

function TryOut() {
  const t = useTexts(publishableEn);
  const verify = useMutation({
    mutationFn: (email: string) => data(api.POST('/v1/verify', { body: { email } })) as Promise<Verdict>,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    verify.mutate(formText(event.currentTarget, 'email'));
  };
  return (
    <>
      <h3>{t.publishable.tryOut}</h3>
      <Form error={verify.error} onSubmit={submit}>
        <Field name="email" label={t.publishable.tryEmail} hint={t.publishable.tryHint}>
          {(props) => <input {...props} name="email" type="email" autoComplete="off" required />}
        </Field>
        <ErrorNote error={verify.error} />
        <div className={styles.row}>
          <Button type="submit" disabled={verify.isPending}>
            {verify.isPending ? t.common.working : t.publishable.test}
          </Button>
          <span role="status">{verify.data !== undefined && <Effect verdict={verify.data} />}</span>
        </div>
      </Form>
    </>
  );
}

/** As the widget decides: an address about which nothing is known is never refused. */
function Effect({ verdict: { status, policy, did_you_mean: meant } }: { verdict: Verdict }) {
  const t = useTexts(publishableEn);
  const isRefused = policy.decision === 'reject' && status !== 'unknown';
  const why = status === 'undeliverable' ? t.publishable.undeliverable : t.publishable.rejected;
  return (
    <>
      {isRefused ? `${t.publishable.isRefused} ${why}` : t.publishable.isSent}
      {meant !== null && ` ${t.publishable.suggestion(meant)}`}
    </>
  );
}
