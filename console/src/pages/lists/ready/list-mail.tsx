import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../../api/client';
import { jobQuery, useMe } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useLanguage, useTexts } from '../../../texts/texts';
import { ErrorNote } from '../../../ui/query-result';
import { Check } from '../../../ui/ui';
import { useOwnMail } from './own-mail';

/** The choice of a mail before a list is sent. */
export function MailCheck({ isChosen }: { isChosen: boolean | undefined }) {
  const { label, isPossible } = useMail();
  return <Check name="notify" defaultChecked={isChosen} disabled={!isPossible} label={label} />;
}

/** The same while the list is verified. */
export function MailSwitch({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
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
  const t = useTexts(listPagesEn);
  const { email, why } = useOwnMail(t);
  if (email !== null) return { label: t.mails.ask(email), isPossible: true };
  return { label: why === null ? t.mails.askAny : `${t.mails.askAny}. ${why}`, isPossible: false };
}
