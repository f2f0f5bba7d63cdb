import { api, data, type Schemas } from '../../api/client';
import { useIsLive } from '../../api/queries';
import { candidatesEn } from '../../texts/candidates.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { ResourceTable } from '../../ui/resource-table';
import { Button, Card, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

type Candidate = Schemas['DisposableCandidate'];
type Decision = 'merge' | 'reject';

/** Domains about which the operator decides for all teams. */
export function Candidates() {
  const t = useTexts(candidatesEn);
  const { date } = useFormats();
  const isLive = useIsLive();
  const decide = useApiMutation(
    ({ id, decision }: { id: string; decision: Decision }) =>
      api.POST(`/v1/admin/disposable/candidates/{id}/${decision}`, { params: { path: { id } } }),
    [['candidates'], ['disposable']],
  );
  const decisionOf = (candidate: Candidate, decision: Decision) => (
    <Button
      small
      aria-label={`${t.candidates[decision]}: ${candidate.domain}`}
      disabled={decide.isPending}
      onClick={() => decide.mutate({ id: candidate.id, decision })}
    >
      {t.candidates[decision]}
    </Button>
  );
  return (
    <Card title={t.candidates.title} id="candidates">
      <p className={styles.muted}>{t.candidates.intro}</p>
      <ErrorNote error={decide.error} />
      <ResourceTable
        queryKey={['candidates']}
        load={(query) => data(api.GET('/v1/admin/disposable/candidates', { params: { query } }))}
        label={t.candidates.title}
        head={[t.candidates.domain, t.candidates.verdict, t.candidates.why, t.common.createdAt, '']}
        empty={<p>{t.candidates.none}</p>}
      >
        {(candidate) => (
          <tr key={candidate.id}>
            <td>{candidate.domain}</td>
            <td>{t.candidates[candidate.verdict]}</td>
            <td>
              {candidate.mx_host === null
                ? t.candidates.byTeam(candidate.team_id ?? '')
                : t.candidates.byMx(candidate.mx_host, candidate.times_seen)}
              {candidate.note !== null && <p className={styles.muted}>{candidate.note}</p>}
            </td>
            <td className={`${styles.muted} ${styles.whole}`}>{date(candidate.created_at)}</td>
            <td className={styles.end}>
              {isLive && (
                <div className={styles.row}>
                  {decisionOf(candidate, 'merge')}
                  {decisionOf(candidate, 'reject')}
                </div>
              )}
            </td>
          </tr>
        )}
      </ResourceTable>
    </Card>
  );
}
