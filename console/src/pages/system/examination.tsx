import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { Badge, Button, Card, Copy, Table, styles, type Tone } from '../../ui/ui';
import { CheckSentence } from './check-sentence';

type Finding = Schemas['SystemFinding'];
type Level = Finding['level'];

const TONES: Readonly<Record<Level, Tone>> = {
  pass: 'deliverable',
  warn: 'risky',
  fail: 'undeliverable',
  skipped: 'unknown',
};

/** What an operator has to act on first. */
const ORDER: readonly Level[] = ['fail', 'warn', 'skipped', 'pass'];

/** Run on request only, because the checks connect to other systems. The result stays for the session. */
const examinationQuery = queryOptions({
  queryKey: ['examination'],
  queryFn: () => data(api.GET('/v1/admin/system/examination')),
  enabled: false,
  retry: false,
  gcTime: Infinity,
});

/** The findings of the doctor: what failed comes first. @param command how the command line is called there. */
export function Examination({ command }: { command: string | undefined }) {
  const t = useTexts(webhooksEn);
  const examination = useQuery(examinationQuery);
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
      {command !== undefined && <Copy text={`${command} doctor`} label={t.system.doctor} />}
    </Card>
  );
}

/** The result of the last checks in a sentence, for the head of the page; nothing before the first. */
export function LastExamination() {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const { data: found } = useQuery(examinationQuery);
  if (found === undefined) return null;
  return (
    <p className={styles.row}>
      <Badge tone={TONES[worstOf(found.findings)]}>{summaryOf(found.findings, t)}</Badge>
      <a href="#checks">{t.system.examinedAt(time(found.at))}</a>
    </p>
  );
}

function Findings({ at, findings }: Schemas['SystemExamination']) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  const bad = sorted.filter(({ level }) => level === 'fail' || level === 'warn');
  const rest = sorted.filter((finding) => !bad.includes(finding));
  return (
    <>
      <p className={styles.row}>
        <strong>{summaryOf(findings, t)}</strong>
        <span className={styles.muted}>{t.system.examinedAt(time(at))}</span>
      </p>
      {bad.length > 0 && <FindingTable findings={bad} />}
      <details open={bad.length === 0}>
        <summary>{t.system.passed(rest.length)}</summary>
        <FindingTable findings={rest} />
      </details>
      <details>
        <summary>{t.system.copyFindings}</summary>
        <Copy text={asText(sorted)} label={t.system.copyFindings} />
      </details>
    </>
  );
}

function FindingTable({ findings }: { findings: readonly Finding[] }) {
  const t = useTexts(webhooksEn);
  return (
    <Table
      label={t.system.findings}
      head={[t.system.check, t.common.status, t.system.finding, t.system.whatToDo]}
    >
      {findings.map(({ check, egress, level, found, what_to_do, findings: said, remedy }) => (
        <tr key={`${check} ${egress ?? ''}`}>
          <td>
            {t.system.checks[check] ?? check.replaceAll('_', ' ')}
            {egress !== null && <div className={styles.muted}>{egress}</div>}
          </td>
          <td>
            <Badge tone={TONES[level]}>{t.system.levels[level]}</Badge>
          </td>
          <td>
            <CheckSentence findings={said} remedy={null} english={found} />
          </td>
          <td>
            {what_to_do !== null && <CheckSentence findings={[]} remedy={remedy} english={what_to_do} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Texts = ReturnType<typeof useTexts<typeof webhooksEn>>;

function summaryOf(findings: readonly Finding[], t: Texts): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return t.system.summary(count('fail'), count('warn'), count('pass'));
}

const worstOf = (findings: readonly Finding[]): Level =>
  ORDER.find((level) => findings.some((finding) => finding.level === level)) ?? 'pass';

/** As `rcpt doctor` prints it, for a ticket. */
const asText = (findings: readonly Finding[]) =>
  findings
    .map(({ check, egress, level, found, what_to_do }) =>
      [`${level} ${check}${egress === null ? '' : ` (${egress})`}: ${found}`, what_to_do && `  ${what_to_do}`]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n');
