import type { FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { CreatedKey } from './created-key';

const HOUR = 3_600;
/** Seconds that the old key stays valid. */
const GRACE = { none: 0, hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;

/** Replaces a key with a new one. */
export function RotateKeyDialog({ rotated, onClose }: { rotated: Schemas['Key']; onClose: () => void }) {
  const t = useTexts(teamEn);
  const rotate = useApiMutation(
    (seconds: number) =>
      data(
        api.POST('/v1/keys/{id}/rotate', {
          params: { path: { id: rotated.id } },
          body: { grace_seconds: seconds },
        }),
      ),
    [['keys']],
  );
  if (rotate.data !== undefined) return <CreatedKey created={rotate.data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rotate.mutate(Number(formText(event.currentTarget, 'grace')));
  };
  return (
    <Dialog title={t.keys.rotate} onClose={onClose}>
      <Form error={rotate.error} onSubmit={submit}>
        <p>{t.keys.rotateAsk(rotated.name)}</p>
        <Field name="grace_seconds" label={t.keys.grace}>
          {(props) => (
            <select {...props} name="grace" defaultValue={GRACE.day}>
              {(Object.keys(GRACE) as (keyof typeof GRACE)[]).map((name) => (
                <option key={name} value={GRACE[name]}>
                  {t.keys.graces[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ErrorNote error={rotate.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={rotate.isPending}>
            {t.keys.rotate}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
