import { useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { Badge, Button, Card, Copy, Table, styles, type Tone } from '../../ui/ui';

const TONES: Readonly<Record<Schemas['SystemFinding']['level'], Tone>> = {
  pass: 'deliverable',
  warn: 'risky',
  fail: 'undeliverable',
  skipped: 'unknown',
};

/** The findings of the doctor, on request only, because the checks connect to other systems. */
export function Examination() {
  const t = useTexts(webhooksEn);
  const examination = useQuery({
    queryKey: ['examination'],
    queryFn: () => data(api.GET('/v1/admin/system/examination')),
    enabled: false,
    retry: false,
  });
  const isAsked = examination.isFetching || examination.data !== undefined || examination.isError;
  return (
    <Card title={t.system.doctor} id="checks">
      <p className={styles.muted}>{t.system.doctorHint}</p>
      <div className={styles.row}>
        <Button disabled={examination.isFetching} onClick={() => void examination.refetch()}>
          {t.system.examine}
        </Button>
        <span role="status" className={styles.muted}>
          {examination.isFetching && t.system.examining}
        </span>
      </div>
      {isAsked && <QueryResult query={examination}>{(found) => <Findings {...found} />}</QueryResult>}
      <Copy text="npx --no rcpt doctor" label={t.system.doctor} />
    </Card>
  );
}

function Findings({ at, findings }: Schemas['SystemExamination']) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  return (
    <>
      <p className={styles.muted}>{t.system.examinedAt(time(at))}</p>
      <Table label={t.system.findings} head={[t.system.check, t.system.finding, t.system.whatToDo]}>
        {findings.map(({ check, egress, level, found, what_to_do }) => (
          <tr key={`${check} ${egress ?? ''}`}>
            <td>
              <Badge tone={TONES[level]}>{t.system.levels[level]}</Badge> {check}
              {egress !== null && <div className={styles.muted}>{egress}</div>}
            </td>
            <td>{found}</td>
            <td>{what_to_do}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
