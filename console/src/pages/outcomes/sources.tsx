import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useIsLive } from '../../api/queries';
import { outcomesEn } from '../../texts/outcomes.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { ResourceTable } from '../../ui/resource-table';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Button, Card, Empty, styles } from '../../ui/ui';
import { NewSourceDialog } from './new-source-dialog';
import { useNewInAddress } from '../../ui/use-new';
import css from './outcomes.module.css';

/** Mail providers that send their events. */
export function Sources() {
  const t = useTexts(outcomesEn);
  const { date } = useFormats();
  const isLive = useIsLive();
  const [isAdding, setIsAdding] = useState(false);
  useNewInAddress(() => isLive && setIsAdding(true));
  const [doomed, setDoomed] = useState<Schemas['OutcomeSource'] | null>(null);
  const remove = useApiMutation(
    (id: string) => api.DELETE('/v1/outcome-sources/{id}', { params: { path: { id } } }),
    [['outcome-sources']],
  );
  return (
    <Card
      title={t.outcomes.sources}
      action={
        isLive && (
          <Button variant="primary" onClick={() => setIsAdding(true)}>
            {t.outcomes.add}
          </Button>
        )
      }
    >
      <p className={styles.muted}>{isLive ? t.outcomes.sourcesHint : t.outcomes.liveOnly}</p>
      <ResourceTable
        queryKey={['outcome-sources']}
        load={(query) => data(api.GET('/v1/outcome-sources', { params: { query } }))}
        label={t.outcomes.sources}
        head={[t.outcomes.kind, t.outcomes.reports, t.common.createdAt, '']}
        empty={
          <Empty icon="mail" title={t.outcomes.emptyTitle}>
            <p>{t.outcomes.empty}</p>
          </Empty>
        }
      >
        {(source) => (
          <tr key={source.id}>
            <td>{t.outcomes.kinds[source.kind].name}</td>
            <td>
              {source.reports.map((kind) => t.outcomes.count[kind]).join(', ') || t.outcomes.reportsNothing}
            </td>
            <td className={css.date}>{date(source.created_at)}</td>
            <td className={styles.end}>
              {isLive && (
                <Button
                  small
                  aria-label={`${t.common.delete}: ${t.outcomes.kinds[source.kind].name}, ${date(source.created_at)}`}
                  onClick={() => setDoomed(source)}
                >
                  {t.common.delete}
                </Button>
              )}
            </td>
          </tr>
        )}
      </ResourceTable>
      {isAdding && <NewSourceDialog onClose={() => setIsAdding(false)} />}
      {doomed !== null && (
        <ConfirmDialog
          title={t.outcomes.deleteTitle}
          question={t.outcomes.deleteAsk(t.outcomes.kinds[doomed.kind].name)}
          confirm={t.common.delete}
          onConfirm={() => remove.mutateAsync(doomed.id)}
          onClose={() => setDoomed(null)}
        />
      )}
    </Card>
  );
}
