import { Clock } from '../../kernel/clock.js';
import { DomainLookUp } from '../../engine/domain-look-up.js';
import { Engine } from '../../engine/engine.js';
import { checksOfDomain } from '../../engine/lists/address-lists.js';
import type { DomainResponse } from '../../modules/verification/verification/domains/domains.dto.js';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import { domainOf } from '../admin/disposable.js';
import { withModules } from '../command-context.js';
import { serviceOf, type ServiceClient, type Shape } from '../service-client.js';
import { print, type Format } from '../terminal.js';

const TIMEOUT_MS = 8_000;
const ANONYMOUS = { team: '', priority: 'single' } as const;
const SHAPE = {
  domain: 'string',
  mx: [{ host: 'string', preference: 'number' }],
  errors: [{ member: 'string' }],
} satisfies Shape<DomainResponse>;

export async function printDomain(name: string, { url, json }: Format & { url?: string }): Promise<void> {
  const domain = domainOf(name);
  const service = serviceOf(url);
  const found =
    service === null
      ? await withModules([MailServersModule], (services) =>
          lookUpLocally(services(DomainLookUp), services(Engine), services(Clock), domain),
        )
      : await lookUpAt(service, domain);
  print({ ...(json && { json }) }, found, () => describe(found));
}

async function lookUpAt(service: ServiceClient, domain: string): Promise<DomainResponse> {
  const response = await service.request(`/v1/domains/${domain}`);
  if (response.status !== 200) throw await service.refusalOf(response);
  return service.answer<DomainResponse>(response, SHAPE);
}

/** Without a team: what lists and the DNS say. @param domain A-labels, lower case. */
export async function lookUpLocally(
  lookUp: DomainLookUp,
  { lists }: Pick<Engine, 'lists'>,
  clock: Clock,
  domain: string,
): Promise<DomainResponse> {
  const { toResponse } = await import('../../modules/verification/verification/domains/domains.dto.js');
  const facts = await lookUp.find(domain, AbortSignal.timeout(TIMEOUT_MS), ANONYMOUS);
  const checks = checksOfDomain(domain, lists, null);
  return toResponse({ facts, checks, rejectedBy: null, checkedAt: clock.now() });
}

function describe(found: DomainResponse): string {
  const { mx, provider, spf, dmarc, mta_sts, errors } = found;
  const yes = (['disposable', 'privacy_relay', 'free', 'catch_all'] as const).filter((name) => found[name]);
  const dmarcText =
    dmarc?.policy && `${dmarc.policy}, by ${dmarc.found_at}${dmarc.testing ? ', testing' : ''}`;
  const rows: [string, string | null | undefined][] = [
    ['mail servers', mx.map(({ host, preference }) => `${host} (${preference})`).join(', ')],
    ['provider', provider],
    ['checks', yes.join(', ').replaceAll('_', ' ')],
    ['SPF', spf?.record ?? spf?.error],
    ['DMARC', dmarcText ?? dmarc?.error],
    ['MTA-STS', mta_sts?.record ?? mta_sts?.error],
    ['rejected by', found.suppressed_by],
    ...errors.map(({ member, error }): [string, string] => ['not known', `${member}: ${error ?? 'timeout'}`]),
  ];
  return [
    `${found.domain}: ${sentenceOf(found)}`,
    ...rows.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
  ].join('\n');
}

function sentenceOf({ accepts_mail, null_mx, implicit_mx }: DomainResponse): string {
  if (accepts_mail === null) return 'the DNS has failed';
  if (null_mx) return 'accepts no mail, as it declares';
  if (!accepts_mail) return 'has no mail server';
  return implicit_mx ? 'accepts mail at its own address' : 'accepts mail';
}
