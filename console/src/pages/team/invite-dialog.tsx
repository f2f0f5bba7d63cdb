import type { FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { BASE } from '../../api/connection';
import { teamEn } from '../../texts/team.en';
import { useLanguage, useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Copy, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

type Invite = Schemas['Invite'];

/** Invites somebody, and shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(teamEn);
  const invite = useInvite();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const role = formText(form, 'role') === 'admin' ? 'admin' : 'member';
    invite.mutate({ email: formText(form, 'email'), role });
  };
  if (invite.data !== undefined) return <InviteLink invite={invite.data} onClose={onClose} />;
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

/** Invites the same person again: only that makes another link, and it ends the earlier one. */
export function ResendDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const t = useTexts(teamEn);
  const again = useInvite();
  if (again.data !== undefined) return <InviteLink invite={again.data} onClose={onClose} />;
  return (
    <Dialog title={t.team.resend} onClose={onClose}>
      <p>{t.team.resendAsk(invite.email)}</p>
      <ErrorNote error={again.error} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button
          variant="primary"
          disabled={again.isPending}
          onClick={() => again.mutate({ email: invite.email, role: invite.role })}
        >
          {again.isPending ? t.common.working : t.team.resend}
        </Button>
      </div>
    </Dialog>
  );
}

function useInvite() {
  const language = useLanguage();
  return useApiMutation(
    (body: Pick<Schemas['InviteCreate'], 'email' | 'role'>) =>
      data(api.POST('/v1/team/invites', { body: { ...body, language } })),
    [['invites']],
  );
}

function InviteLink({
  invite: { email, token, by_mail: isMailed },
  onClose,
}: {
  invite: Schemas['NewInvite'];
  onClose: () => void;
}) {
  const t = useTexts(teamEn);
  return (
    <Dialog title={t.team.inviteReady} isKept onClose={onClose}>
      <p>{isMailed ? t.team.inviteMailed(email) : t.team.inviteNotMailed}</p>
      <p>
        {isMailed ? t.team.inviteLinkToo : t.team.inviteHint} <strong>{t.common.shownOnce}</strong>
      </p>
      {token !== null && <Copy text={`${BASE}console#invite=${token}`} label={t.team.invite} />}
      <div className={styles.actions}>
        <Button variant="primary" onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
