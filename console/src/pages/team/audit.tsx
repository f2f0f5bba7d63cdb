import { api, data, open, type Schemas } from '../../api/client';
import { auditEn } from '../../texts/team/audit.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { ResourceTable } from '../../ui/resource-table';
import { saveFile } from '../../ui/save-file';
import { Button, Empty, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { AuditFilters, queryOf, useAuditFilter } from './audit-filter';
import { AuditRow } from './audit-row';

/** Who changed what in the team. */
export function Audit() {
  const t = useTexts(auditEn);
  const [filter] = useAuditFilter();
  const query = queryOf(filter);
  const save = useApiMutation(async () => {
    const response = await open(`v1/audit?${new URLSearchParams(query)}`, 'text/csv');
    saveFile(await response.blob(), 'audit.csv');
  }, []);
  return (
    <div className={styles.stack}>
      <p className={styles.muted}>{t.audit.intro}</p>
      <AuditFilters />
      <div className={styles.row}>
        <Button disabled={save.isPending} onClick={() => save.mutate(undefined)}>
          {t.audit.download}
        </Button>
      </div>
      <ErrorNote error={save.error} />
      <ResourceTable
        queryKey={['audit', JSON.stringify(query)]}
        load={(page) =>
          data(api.GET('/v1/audit', { params: { query: { ...query, ...page } } })) as Promise<
            Schemas['AuditPage']
          >
        }
        label={t.audit.title}
        head={t.audit.columns}
        empty={
          <Empty icon="log" title={t.audit.emptyTitle}>
            <p>{t.audit.empty}</p>
          </Empty>
        }
      >
        {(entry) => <AuditRow key={entry.id} entry={entry} />}
      </ResourceTable>
    </div>
  );
}
