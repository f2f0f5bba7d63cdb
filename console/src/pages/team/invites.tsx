import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { BASE } from '../../api/connection';
import { useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult, ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Card, Copy, Field, Table, styles } from '../../ui/ui';

export function Invites() {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const me = useMe();
  const hasUser = me !== null && me.user !== null;
  const [isOpen, setIsOpen] = useState(false);
  const invites = useQuery({
    queryKey: ['invites'],
    queryFn: () => data(api.GET('/v1/team/invites', { params: { query: { status: 'pending', limit: 50 } } })),
  });
  const [doomed, setDoomed] = useState<Schemas['Invite'] | null>(null);
  const revoke = useApiMutation(
    (id: string) => api.DELETE('/v1/team/invites/{id}', { params: { path: { id } } }),
    [['invites']],
  );
  return (
    <Card
      title={t.team.invites}
      action={hasUser && <Button onClick={() => setIsOpen(true)}>{t.team.invite}</Button>}
    >
      <QueryResult query={invites}>
        {({ data: list }) =>
          list.length === 0 ? (
            <p className={styles.muted}>{t.team.noInvites}</p>
          ) : (
            <Table label={t.team.invites} head={[t.team.inviteEmail, t.team.roleLabel, t.team.expires, '']}>
              {list.map((each) => (
                <tr key={each.id}>
                  <td>{each.email}</td>
                  <td>{t.common.role[each.role]}</td>
                  <td className={styles.muted}>{date(each.expires_at)}</td>
                  <td className={styles.end}>
                    <Button
                      small
                      aria-label={`${t.team.revoke}: ${each.email}`}
                      onClick={() => setDoomed(each)}
                    >
                      {t.team.revoke}
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </QueryResult>
      {doomed !== null && (
        <ConfirmDialog
          title={t.team.revoke}
          question={t.team.revokeInviteAsk(doomed.email)}
          confirm={t.team.revoke}
          onConfirm={() => revoke.mutateAsync(doomed.id)}
          onClose={() => setDoomed(null)}
        />
      )}
      {isOpen && <InviteDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(teamEn);
  const invite = useApiMutation(
    (body: Schemas['InviteCreate']) => data(api.POST('/v1/team/invites', { body })),
    [['invites']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    invite.mutate({
      email: formText(form, 'email'),
      role: formText(form, 'role') === 'admin' ? 'admin' : 'member',
    });
  };
  const token = invite.data?.token ?? null;
  if (token !== null)
    return (
      <Dialog title={t.team.inviteReady} isKept onClose={onClose}>
        <p>
          {t.team.inviteHint} <strong>{t.common.shownOnce}</strong>
        </p>
        <Copy text={`${BASE}console#token=${token}`} label={t.team.invite} />
        <div className={styles.actions}>
          <Button variant="primary" onClick={onClose}>
            {t.common.close}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t.team.invite} onClose={onClose}>
      <Form error={invite.error} onSubmit={submit}>
        <Field name="email" label={t.team.inviteEmail}>
          {(props) => <input {...props} name="email" type="email" required autoFocus />}
        </Field>
        <Field name="role" label={t.team.roleLabel}>
          {(props) => (
            <select {...props} name="role">
              <option value="member">{t.common.role.member}</option>
              <option value="admin">{t.common.role.admin}</option>
            </select>
          )}
        </Field>
        <ErrorNote error={invite.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={invite.isPending}>
            {t.team.inviteSend}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
