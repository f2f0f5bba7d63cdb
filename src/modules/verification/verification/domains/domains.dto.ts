import { IntersectionType, PickType } from '@nestjs/swagger';
import { dnsEvidenceOf } from '../../../../engine/judge.js';
import { dnsInJson } from '../../../../engine/verdict-in-json.js';
import { DMARC_POLICIES, type DmarcPolicy } from '../../../../engine/published/dmarc.js';
import type { DomainFacts, Failed } from '../../../../engine/published/domain-facts.js';
import {
  RECORD_ERRORS,
  SPF_RESULTS,
  type RecordError,
  type SpfResult,
} from '../../../../engine/published/published-records.js';
import {
  DomainName,
  Flag,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import type { DomainReport } from './domains.service.js';
import { Known, VerdictDns } from '../single/verdict-dns.dto.js';
import { VerdictChecks } from '../single/verification.dto.js';

export class DomainParameter {
  @DomainName({ description: 'In Unicode or as A-labels.' })
  domain: string;
}

const Published = (example: string) =>
  Text({
    nullable: true,
    description:
      'As published; a character that is not printable ASCII is `?`. null: there is none, or there are several.',
    example,
  });

const RecordFault = () =>
  OneOf(RECORD_ERRORS, {
    nullable: true,
    description: 'Why receivers cannot use what is published. null: there is no fault, or no record.',
  });

@Schema('SpfRecord')
class SpfResponse {
  @Published('v=spf1 include:_spf.example.net -all')
  record: string | null;

  @RecordFault()
  error: RecordError | null;

  @OneOf(SPF_RESULTS, {
    nullable: true,
    description:
      'The result of the mechanism `all`. null: the record has none. Included records are not read.',
  })
  all: SpfResult | null;
}

@Schema('DmarcRecord')
class DmarcResponse {
  @Published('v=DMARC1; p=reject')
  record: string | null;

  @RecordFault()
  error: RecordError | null;

  @Text({
    nullable: true,
    description: 'The domain that publishes the record: this one, or one above it.',
    example: 'example.com',
  })
  found_at: string | null;

  @Text({ description: 'By the DNS (RFC 9989 §4.10).', example: 'example.com' })
  organizational_domain: string;

  @OneOf(DMARC_POLICIES, { nullable: true, description: 'The policy for this domain. null: no record.' })
  policy: DmarcPolicy | null;

  @Flag({ description: 'The owner asks that the policy is not applied yet.' })
  testing: boolean;
}

@Schema('MtaStsRecord')
class MtaStsResponse {
  @Published('v=STSv1; id=20260101')
  record: string | null;

  @RecordFault()
  error: RecordError | null;

  @Text({
    nullable: true,
    description: 'Changes with the policy, which is not fetched (RFC 8461 §3.1).',
    example: '20260101',
  })
  id: string | null;
}

const LOOK_UPS = ['mx', 'spf', 'dmarc', 'mta_sts'] as const;
type LookUpName = (typeof LOOK_UPS)[number];

@Schema('DomainLookUpError')
class DomainLookUpError {
  @OneOf(LOOK_UPS, { description: 'What is not known.' })
  member: LookUpName;

  @Text({
    nullable: true,
    description: 'The name servers that were queried, each with its last response. null: the time was over.',
    example: null,
  })
  error: string | null;
}

@Schema('Domain')
export class DomainResponse extends IntersectionType(
  PickType(VerdictDns, ['mx_found', 'implicit_mx', 'null_mx', 'mx', 'provider']),
  PickType(VerdictChecks, ['disposable', 'privacy_relay', 'free']),
) {
  @Text({ description: 'A-labels, lower case.', example: 'example.com' })
  domain: string;

  @Known('The domain has a mail server; false for a null MX and for a domain that does not exist.', true)
  accepts_mail: boolean | null;

  @Known(
    'The domain accepts mail for every local part, as a verification by your team has shown in the last day.',
    false,
  )
  catch_all: boolean | null;

  @WholeNumber({
    nullable: true,
    description:
      'How long ago that was, in seconds. null: `catch_all` is not known, or known of the provider.',
    example: 5400,
  })
  catch_all_age_seconds: number | null;

  @ObjectOf(() => SpfResponse, { nullable: true, description: 'null: the look-up has failed.' })
  spf: SpfResponse | null;

  @ObjectOf(() => DmarcResponse, { nullable: true, description: 'null: a look-up has failed.' })
  dmarc: DmarcResponse | null;

  @ObjectOf(() => MtaStsResponse, { nullable: true, description: 'null: the look-up has failed.' })
  mta_sts: MtaStsResponse | null;

  @Flag({
    description:
      'The blocklist or the policy of the team rejects addresses of the domain, whatever the address. Conditions about an address or its verdict do not match here.',
  })
  suppressed: boolean;

  @Text({
    nullable: true,
    description: 'The entry or the rule, as in `policy.rule` of a verdict.',
    example: null,
  })
  suppressed_by: string | null;

  @ListOf(() => DomainLookUpError, { description: 'The look-ups that have failed.' })
  errors: DomainLookUpError[];

  @Time()
  checked_at: string;
}

export function toResponse({ facts, checks, rejectedBy, checkedAt }: DomainReport): DomainResponse {
  const { domain, route, known, spf, dmarc, mtaSts } = facts;
  const { mx_found, implicit_mx, null_mx, mx, provider } = dnsInJson(dnsEvidenceOf(route));
  return {
    domain,
    accepts_mail: route.kind === 'dns_error' ? null : route.kind === 'hosts',
    ...{ mx_found, implicit_mx, null_mx, mx, provider },
    catch_all: known.catchAll,
    catch_all_age_seconds: known.ageMs && Math.floor(known.ageMs / 1_000),
    disposable: checks.disposable,
    privacy_relay: checks.privacyRelay,
    free: checks.free,
    spf: isFailed(spf) ? null : { record: spf.record, error: spf.error, all: spf.all },
    dmarc: isFailed(dmarc)
      ? null
      : {
          record: dmarc.record,
          error: dmarc.error,
          found_at: dmarc.foundAt,
          organizational_domain: dmarc.organizationalDomain,
          policy: dmarc.policy,
          testing: dmarc.isTesting,
        },
    mta_sts: isFailed(mtaSts) ? null : { record: mtaSts.record, error: mtaSts.error, id: mtaSts.id },
    suppressed: rejectedBy !== null,
    suppressed_by: rejectedBy,
    errors: errorsOf(facts),
    checked_at: checkedAt.toISOString(),
  };
}

function isFailed(found: object): found is Failed {
  return 'kind' in found;
}

function errorsOf({ route, spf, dmarc, mtaSts }: DomainFacts): DomainLookUpError[] {
  const mx = route.kind === 'dns_error' ? [{ member: 'mx' as const, error: route.error ?? null }] : [];
  const records = Object.entries({ spf, dmarc, mta_sts: mtaSts }) as [LookUpName, object][];
  return [
    ...mx,
    ...records.flatMap(([member, found]) =>
      isFailed(found) ? [{ member, error: found.error ?? null }] : [],
    ),
  ];
}
