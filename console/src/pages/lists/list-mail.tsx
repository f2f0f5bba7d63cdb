import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { jobQuery, useMe } from '../../api/queries';
import { listMailsEn } from '../../texts/lists/list-mails.en';
import { useLanguage, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Check } from '../../ui/ui';
import { useSignInOptions } from '../sign-in/sign-in-options';

/** The choice of a mail before a list is sent. */
export function MailCheck() {
  const { label, isPossible } = useMail();
  return <Check name="notify" disabled={!isPossible} label={label} />;
}

/** The same while the list is verified. */
export function MailSwitch({ job }: { job: BulkJob }) {
  const t = useTexts(listMailsEn);
  const me = useMe();
  const language = useLanguage();
  const client = useQueryClient();
  const mail = useMail();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  if (me === null) return null;
  const isCreator = me.user !== null && job.created_by?.user_id === me.user.id;
  const isPossible = mail.isPossible && isCreator;
  const set = async (isWanted: boolean) => {
    setIsBusy(true);
    setError(null);
    try {
      const params = { path: { id: job.id } };
      const body = { notify: isWanted ? language : null };
      client.setQueryData(
        jobQuery(job.id).queryKey,
        await data(api.PATCH('/v1/bulk-jobs/{id}', { params, body })),
      );
    } catch (caught) {
      setError(caught as Error);
    }
    setIsBusy(false);
  };
  return (
    <div>
      <Check
        disabled={!isPossible || isBusy}
        checked={job.notify !== null}
        onChange={({ target }) => void set(target.checked)}
        label={mail.isPossible && !isCreator ? `${t.mails.askAny}. ${t.mails.notCreator}` : mail.label}
      />
      <ErrorNote error={error} />
    </div>
  );
}

/** Whether the person of this session can get a mail, and a label that says why not. */
function useMail(): { label: string; isPossible: boolean } {
  const t = useTexts(listMailsEn);
  const me = useMe();
  const options = useSignInOptions();
  const member = me?.team.members.find(({ user_id: id }) => id === me.user?.id);
  if (me === null || options === undefined) return { label: t.mails.askAny, isPossible: false };
  const why = !options.by_mail
    ? t.mails.noServer
    : me.user === null
      ? t.mails.noUser
      : member?.confirmed !== true
        ? t.mails.unconfirmed
        : null;
  if (why !== null || me.user === null) return { label: `${t.mails.askAny}. ${why}`, isPossible: false };
  return { label: t.mails.ask(me.user.email), isPossible: true };
}
