import { useMe } from '../../../api/queries';
import type { listMailsEn } from '../../../texts/lists/list-mails.en';
import { useSignInOptions } from '../../sign-in/sign-in-options';

/** The address of the person of this session to which the service can send a mail; null: none, with the reason if it is known. */
export function useOwnMail(t: typeof listMailsEn): { email: string | null; why: string | null } {
  const me = useMe();
  const options = useSignInOptions();
  if (me === null || options === undefined) return { email: null, why: null };
  if (!options.by_mail) return { email: null, why: t.mails.noServer };
  if (me.user === null) return { email: null, why: t.mails.noUser };
  const member = me.team.members.find(({ user_id: id }) => id === me.user?.id);
  if (member?.confirmed !== true) return { email: null, why: t.mails.unconfirmed };
  return { email: me.user.email, why: null };
}
