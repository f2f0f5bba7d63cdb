import { useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useIsLive } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ConfirmDialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { notice } from '../../ui/notice';
import { ResourceTable } from '../../ui/resource-table';
import { Section } from '../../ui/page-head';
import { Button, Empty, Field, styles } from '../../ui/ui';

type Override = Schemas['DisposableOverride'];

export function DisposableOverrides() {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const isLive = useIsLive();
  const post = (body: Schemas['DisposableOverrideAdd']) => api.POST('/v1/admin/disposable', { body });
  const add = useApiMutation(post, [['disposable']]);
  const again = useApiMutation(post, [['disposable']]);
  const [doomed, setDoomed] = useState<Override | null>(null);
  const remove = useApiMutation(
    ({ domain }: Override) => api.DELETE('/v1/admin/disposable/{domain}', { params: { path: { domain } } }),
    [['disposable']],
  );
  const take = (override: Override) => {
    // A new one waits for the operator, as this one did.
    if (override.status !== 'pending') return setDoomed(override);
    const { domain, verdict, note } = override;
    const body = { domain, verdict, ...(note !== null && { note }) };
    remove.mutate(override, {
      onSuccess: () =>
        notice.set({ text: t.disposable.removed(domain), undo: () => again.mutateAsync(body) }),
    });
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const note = formText(form, 'note');
    const verdict = formText(form, 'verdict') === 'disposable' ? 'disposable' : 'not_disposable';
    await add.mutateAsync({ domain: formText(form, 'domain'), verdict, ...(note !== '' && { note }) }).then(
      () => form.reset(),
      () => undefined,
    );
  };
  return (
    <div className={styles.stack}>
      {!isLive && <p className={styles.muted}>{t.disposable.intro}</p>}
      {isLive && (
        <Section title={t.disposable.title} intro={t.disposable.intro}>
          <Form error={add.error} onSubmit={submit}>
            <Field name="domain" label={t.disposable.domain}>
              {(props) => <input {...props} name="domain" required />}
            </Field>
            <Field name="verdict" label={t.disposable.verdict}>
              {(props) => (
                <select {...props} name="verdict">
                  <option value="not_disposable">{t.disposable.not_disposable}</option>
                  <option value="disposable">{t.disposable.disposable}</option>
                </select>
              )}
            </Field>
            <Field name="note" label={`${t.disposable.note} (${t.common.optional})`}>
              {(props) => <input {...props} name="note" maxLength={200} />}
            </Field>
            <ErrorNote error={add.error} />
            <div>
              <Button type="submit" variant="primary" disabled={add.isPending}>
                {t.disposable.add}
              </Button>
            </div>
          </Form>
        </Section>
      )}
      <ErrorNote error={doomed === null ? remove.error : null} />
      <ResourceTable
        queryKey={['disposable']}
        load={(query) => data(api.GET('/v1/admin/disposable', { params: { query } }))}
        label={t.team.tabs.disposable}
        head={[
          t.disposable.domain,
          t.disposable.verdict,
          t.disposable.note,
          t.disposable.scope,
          t.common.createdAt,
          '',
        ]}
        empty={
          <Empty icon="mail" title={t.disposable.emptyTitle}>
            <p>{t.disposable.empty}</p>
          </Empty>
        }
      >
        {(override) => (
          <tr key={override.id}>
            <td>{override.domain}</td>
            <td>{t.disposable[override.verdict]}</td>
            <td>{override.note}</td>
            <td>{t.disposable[override.status]}</td>
            <td className={`${styles.muted} ${styles.whole}`}>{date(override.created_at)}</td>
            <td className={styles.end}>
              {isLive && (
                <Button
                  small
                  aria-label={`${t.common.remove}: ${override.domain}`}
                  disabled={remove.isPending}
                  onClick={() => take(override)}
                >
                  {t.common.remove}
                </Button>
              )}
            </td>
          </tr>
        )}
      </ResourceTable>
      {doomed !== null && (
        <ConfirmDialog
          title={t.common.remove}
          question={t.disposable.removeAsk(doomed.domain)}
          confirm={t.common.remove}
          onConfirm={() => remove.mutateAsync(doomed)}
          onClose={() => setDoomed(null)}
        />
      )}
    </div>
  );
}
