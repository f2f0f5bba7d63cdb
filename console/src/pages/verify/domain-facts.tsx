import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useMe } from '../../api/queries';
import { useFormats, useTexts } from '../../texts/texts';
import { domainFactsEn } from '../../texts/verify/domain-facts.en';
import { QueryResult } from '../../ui/query-result';
import { Badge, ButtonLink, styles } from '../../ui/ui';
import css from './domain-facts.module.css';
import { DnsAnswer } from './evidence-steps';

type Domain = Schemas['Domain'];

/** Within it, opening the part again sends no request. */
const FRESH_MS = 60_000;
const HOUR_SECONDS = 3_600;

export function DomainFacts({ domain }: { domain: string }) {
  const t = useTexts(domainFactsEn);
  const me = useMe();
  if (me === null || me.features.includes('domains')) return <LookUp domain={domain} />;
  return (
    <div className={styles.stack}>
      <p>{t.domainFacts.notIncluded(me.team.tier)}</p>
      <div>
        <ButtonLink to="/usage">{t.domainFacts.seePlan}</ButtonLink>
      </div>
    </div>
  );
}

function LookUp({ domain }: { domain: string }) {
  const query = useQuery({
    queryKey: ['domain', domain],
    queryFn: ({ signal }) => data(api.GET('/v1/domains/{domain}', { params: { path: { domain } }, signal })),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  return <QueryResult query={query}>{(facts) => <Facts facts={facts} />}</QueryResult>;
}

function Facts({ facts }: { facts: Domain }) {
  const t = useTexts(domainFactsEn);
  const { time } = useFormats();
  const { names, notSuppressed, suppressed, failed } = t.domainFacts;
  const rows: [string, ReactNode][] = [
    [names.mail, facts.accepts_mail === null ? <p>{failed}</p> : <DnsAnswer dns={facts} />],
    [names.catchAll, <CatchAll key="catch-all" facts={facts} />],
    [names.kind, <Kind key="kind" facts={facts} />],
    [
      names.suppressed,
      facts.suppressed ? (
        <p>
          <Badge tone="undeliverable">{t.verify.policy.reject}</Badge> {suppressed(facts.suppressed_by ?? '')}
        </p>
      ) : (
        <p>{notSuppressed}</p>
      ),
    ],
    [names.spf, <Spf key="spf" spf={facts.spf} />],
    [names.dmarc, <Dmarc key="dmarc" facts={facts} />],
    [names.mtaSts, <MtaSts key="mta-sts" mtaSts={facts.mta_sts} />],
  ];
  return (
    <div className={styles.stack}>
      <dl className={css.facts}>
        {rows.map(([name, content]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
      {facts.errors.length > 0 && <Errors errors={facts.errors} />}
      <p className={styles.muted}>{t.domainFacts.checked(time(facts.checked_at))}</p>
    </div>
  );
}

function CatchAll({ facts: { catch_all: isCatchAll, catch_all_age_seconds: age } }: { facts: Domain }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  if (isCatchAll === null) return <p>{t.catchAllUnknown}</p>;
  return (
    <p>
      {isCatchAll ? t.catchAllYes : t.catchAllNo}{' '}
      <span className={styles.muted}>
        {age === null ? t.ofProvider : t.catchAllAge(Math.floor(age / HOUR_SECONDS))}
      </span>
    </p>
  );
}

function Kind({ facts }: { facts: Domain }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  const kinds = (['disposable', 'privacy_relay', 'free'] as const).filter((kind) => facts[kind]);
  if (kinds.length === 0) return <p>{t.ordinary}</p>;
  const words = { disposable: t.disposable, privacy_relay: t.privacyRelay, free: t.free };
  return (
    <ul>
      {kinds.map((kind) => (
        <li key={kind}>{words[kind]}</li>
      ))}
    </ul>
  );
}

interface PublishedRecord {
  record: string | null;
  error: NonNullable<Domain['spf']>['error'];
}

/** A record as it is published, or why there is none, and what it means. */
function Published({ found, children }: { found: PublishedRecord | null; children: ReactNode }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  if (found === null) return <p>{t.failed}</p>;
  const { record, error } = found;
  if (record === null && error === null) return <p>{t.noRecord}</p>;
  return (
    <>
      {error !== null && <p>{t.fault[error]}</p>}
      {record !== null && <code>{record}</code>}
      {error === null && children}
    </>
  );
}

function Spf({ spf }: { spf: Domain['spf'] }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  return (
    <Published found={spf}>
      <p>{spf === null || spf.all === null ? t.noAll : t.spfAll[spf.all]}</p>
    </Published>
  );
}

function Dmarc({ facts: { dmarc, domain } }: { facts: Domain }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  if (dmarc === null) return <Published found={null}>{null}</Published>;
  const { policy, testing: isTesting, found_at: foundAt } = dmarc;
  return (
    <Published found={dmarc}>
      {policy !== null && <p>{t.dmarcPolicy[policy]}</p>}
      {isTesting && <p>{t.testing}</p>}
      {foundAt !== null && foundAt !== domain && <p>{t.foundAt(foundAt)}</p>}
    </Published>
  );
}

function MtaSts({ mtaSts }: { mtaSts: Domain['mta_sts'] }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  return (
    <Published found={mtaSts}>
      <p>{t.notFetched}</p>
    </Published>
  );
}

/** The texts of name servers are in English. */
function Errors({ errors }: { errors: Domain['errors'] }) {
  const { domainFacts: t } = useTexts(domainFactsEn);
  return (
    <div className={styles.error} role="note">
      <strong>{t.errors}</strong>
      <ul>
        {errors.map(({ member, error }) => (
          <li key={member}>
            {t.members[member]}: {error === null ? t.timeout : <span lang="en">{error}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
