import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { ApiError } from '../../api/problem';
import { useIsLive } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { notice } from '../../ui/notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Form, useReasonOf } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ResourceTable } from '../../ui/resource-table';
import { Section } from '../../ui/page-head';
import { Button, Empty, Field, styles } from '../../ui/ui';

const MAX_REASON = 200;

type Blocked = Pick<Schemas['BlocklistEntry'], 'domain' | 'reason'>;

export function Blocklist() {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const isLive = useIsLive();
  const unblock = useApiMutation(
    ({ domain }: Blocked) => api.DELETE('/v1/blocklist/{domain}', { params: { path: { domain } } }),
    [['blocklist']],
  );
  const block = useApiMutation(
    ({ domain, reason }: Blocked) =>
      api.POST('/v1/blocklist', { body: { domain, ...(reason !== null && { reason }) } }),
    [['blocklist']],
  );
  const take = (blocked: Blocked) =>
    unblock.mutate(blocked, {
      onSuccess: () =>
        notice.set({
          text: t.blocklist.unblocked(blocked.domain),
          undo: () => block.mutateAsync(blocked),
        }),
    });
  return (
    <div className={styles.stack}>
      {isLive ? (
        <Section title={t.blocklist.title} intro={t.blocklist.intro}>
          <PasteForm />
        </Section>
      ) : (
        <p className={styles.muted}>{t.blocklist.intro}</p>
      )}
      <ErrorNote error={unblock.error} />
      <ResourceTable
        queryKey={['blocklist']}
        load={(query) => data(api.GET('/v1/blocklist', { params: { query } }))}
        label={t.team.tabs.blocklist}
        head={[t.blocklist.domain, t.blocklist.reason, t.common.createdAt, '']}
        empty={
          <Empty icon="block" title={t.blocklist.emptyTitle}>
            <p>{t.blocklist.empty}</p>
          </Empty>
        }
      >
        {({ domain, reason, created_at: createdAt }) => (
          <tr key={domain}>
            <td>{domain}</td>
            <td>{reason}</td>
            <td className={styles.muted}>{date(createdAt)}</td>
            <td className={styles.end}>
              {isLive && (
                <Button
                  small
                  aria-label={`${t.blocklist.unblock}: ${domain}`}
                  disabled={unblock.isPending}
                  onClick={() => take({ domain, reason })}
                >
                  {t.blocklist.unblock}
                </Button>
              )}
            </td>
          </tr>
        )}
      </ResourceTable>
    </div>
  );
}

interface Outcome {
  done: number;
  all: number;
  added: number;
  known: number;
  /** By reason: a list has many domains with the same fault. */
  failed: ReadonlyMap<string, string[]>;
}

/** One call for each domain, in order; rejected domains stay in the field. */
function PasteForm() {
  const t = useTexts(teamEn);
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const reasonOf = useReasonOf();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const isBusy = outcome !== null && outcome.done < outcome.all;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = formText(event.currentTarget, 'reason');
    const domains = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
    const failed = new Map<string, string[]>();
    const state: Outcome = { done: 0, all: domains.length, added: 0, known: 0, failed };
    setOutcome({ ...state });
    for (const domain of domains) {
      try {
        await api.POST('/v1/blocklist', { body: { domain, ...(reason !== '' && { reason }) } });
        state.added++;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'already_blocked') state.known++;
        else failed.set(reasonOf(error), [...(failed.get(reasonOf(error)) ?? []), domain]);
      }
      state.done++;
      setOutcome({ ...state });
    }
    setText([...failed.values()].flat().join('\n'));
    if (failed.size > 0) field.current?.focus();
    await client.invalidateQueries({ queryKey: ['blocklist'] });
  };
  return (
    <Form error={null} onSubmit={submit}>
      <Field
        label={t.blocklist.domains}
        errors={[...(outcome?.failed ?? [])].map(([why, domains]) =>
          t.blocklist.failed(domains.join(', '), why),
        )}
      >
        {(props) => (
          <textarea
            {...props}
            ref={field}
            rows={4}
            value={text}
            onChange={({ target }) => setText(target.value)}
            placeholder={'competitor.example\nformer-customer.example'}
            spellCheck={false}
            required
          />
        )}
      </Field>
      <Field label={`${t.blocklist.reason} (${t.common.optional})`}>
        {(props) => <input {...props} name="reason" maxLength={MAX_REASON} />}
      </Field>
      <div className={styles.row}>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t.blocklist.add}
        </Button>
        <span role="status">
          {outcome !== null &&
            (isBusy
              ? t.blocklist.adding(outcome.done, outcome.all)
              : t.blocklist.result(outcome.added, outcome.known))}
        </span>
      </div>
    </Form>
  );
}
