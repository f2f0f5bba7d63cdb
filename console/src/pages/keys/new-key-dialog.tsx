import { useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useMay } from '../../api/queries';
import { keyLimitsEn } from '../../texts/team/key-limits.en';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Check, Field, styles } from '../../ui/ui';
import { CreatedKey } from './created-key';
import { ScopeChoice, type KeyScope } from './scope-choice';

export function NewKeyDialog({ kind, onClose }: { kind: Schemas['Key']['kind']; onClose: () => void }) {
  const t = useTexts(teamEn);
  const { keyLimits } = useTexts(keyLimitsEn);
  const mayMakeServiceKeys = useMay('admin');
  const [isPublishable, setIsPublishable] = useState(kind === 'publishable');
  const [scopes, setScopes] = useState<readonly KeyScope[] | null>(null);
  const create = useApiMutation(
    (body: Schemas['ApiKeyCreate']) => data(api.POST('/v1/keys', { body })),
    [['keys']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const expires = formText(form, 'expires');
    const origins = originsIn(formText(form, 'origins'));
    const networks = formText(form, 'networks')
      .split(/[\s,]+/)
      .filter(Boolean);
    create.mutate({
      name: formText(form, 'name'),
      mode: formText(form, 'mode') === 'test' ? 'test' : 'live',
      service: formText(form, 'service') === 'on',
      ...(isPublishable
        ? { kind: 'publishable' as const, allowed_origins: origins }
        : {
            ...(scopes !== null && { scopes: [...scopes] }),
            ...(networks.length > 0 && { allowed_cidrs: networks }),
          }),
      // The end of the day in the zone of the reader.
      ...(expires !== '' && { expires_at: new Date(`${expires}T23:59:59`).toISOString() }),
    });
  };
  if (create.data !== undefined) return <CreatedKey created={create.data} onClose={onClose} />;
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <Field name="name" label={t.keys.name}>
          {(props) => (
            <input
              {...props}
              name="name"
              maxLength={100}
              placeholder={t.keys.namePlaceholder}
              required
              autoFocus
            />
          )}
        </Field>
        <Field name="kind" label={t.keys.kind}>
          {(props) => (
            <select
              {...props}
              value={isPublishable ? 'publishable' : 'secret'}
              onChange={(event) => setIsPublishable(event.target.value === 'publishable')}
            >
              <option value="secret">{t.keys.secret}</option>
              <option value="publishable">{t.keys.publishable}</option>
            </select>
          )}
        </Field>
        {isPublishable && (
          <Field name="allowed_origins" label={t.keys.origins}>
            {(props) => (
              <textarea
                {...props}
                name="origins"
                rows={3}
                placeholder="https://www.example.com"
                required
                onBlur={({ target }) => (target.value = originsIn(target.value).join('\n'))}
              />
            )}
          </Field>
        )}
        <Field name="mode" label={t.keys.mode}>
          {(props) => (
            <select {...props} name="mode">
              <option value="live">{t.keys.live}</option>
              <option value="test">{t.keys.test}</option>
            </select>
          )}
        </Field>
        <Field name="expires_at" label={`${t.keys.expires} (${t.common.optional})`}>
          {(props) => <input {...props} name="expires" type="date" />}
        </Field>
        {!isPublishable && (
          <>
            <ScopeChoice value={scopes} onChange={setScopes} />
            <Field name="allowed_cidrs" label={`${keyLimits.networks} (${t.common.optional})`}>
              {(props) => <textarea {...props} name="networks" rows={2} placeholder="192.0.2.0/24" />}
            </Field>
          </>
        )}
        {mayMakeServiceKeys && <Check name="service" label={t.keys.service} />}
        <ErrorNote error={create.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {t.keys.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The origins of what people paste: URLs of pages, and names of hosts. What is neither stays, and the API refuses it. */
function originsIn(text: string): string[] {
  const origins = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => {
      const scheme = /^(localhost|127\.)/.test(entry) ? 'http' : 'https';
      const url = entry.includes('://') ? entry : `${scheme}://${entry}`;
      return URL.canParse(url) && /^https?:/.test(url) ? new URL(url).origin : entry;
    });
  return [...new Set(origins)];
}
