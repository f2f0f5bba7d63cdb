import { MAX_DOMAINS, type ListPreview } from '../../../../engine/list-preview.js';
import { WARNING_CODES, type WarningCode } from '../../../../kernel/list-files/list-warnings.js';
import {
  Count,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';

@Schema('ListProvider')
class ListProviderResponse {
  @Text({
    description: 'As in `dns.provider`, or the registrable domain of the mail server.',
    example: 'google',
  })
  name: string;

  @Count('Unique addresses.', { example: 412 })
  addresses: number;
}

@Schema('ListEta')
class ListEtaResponse {
  @Count('Seconds, if all servers answer at once.', { example: 20 })
  low: number;

  @Count('Seconds, if servers are slow. Rows that a server defers take longer.', { example: 180 })
  high: number;
}

@Schema('ListWarning')
class ListWarningResponse {
  @OneOf(WARNING_CODES)
  code: WarningCode;

  @WholeNumber({
    optional: true,
    min: 1,
    description: 'The first such line; missing: the format has no lines.',
    example: 17,
  })
  line?: number;

  @Text({ description: 'For people.', example: '3 rows have more than one address.' })
  message: string;
}

/** What a held list contains. */
@Schema('ListPreview')
export class ListPreviewResponse {
  @Count('Rows.', { example: 1000 })
  rows: number;

  @Count('Distinct addresses, after normalization. The counts of addresses below are of these.', {
    example: 950,
  })
  unique: number;

  @Count('Rows that repeat an address.', { example: 50 })
  duplicates: number;

  @Count('Addresses whose answer is stored: no mail server is asked.', { example: 120 })
  stored: number;

  @Count('Texts that are no addresses.')
  invalid_syntax: number;

  @Count('Addresses at disposable domains.')
  disposable: number;

  @Count('Role addresses.')
  role: number;

  @Count('Addresses of privacy relays.')
  privacy_relay: number;

  @Count(`Domains that do not exist or receive no mail, of the ${MAX_DOMAINS} with most addresses.`)
  dead_domains: number;

  @Count('Addresses at these domains.')
  dead_addresses: number;

  @ListOf(() => ListProviderResponse, {
    description: `The ten largest providers of these ${MAX_DOMAINS} domains.`,
  })
  providers: ListProviderResponse[];

  @Count('Units that the list costs at most: one for each unique address that is not on the blocklist.', {
    example: 950,
  })
  max_charge: number;

  @ObjectOf(() => ListEtaResponse)
  eta_seconds: ListEtaResponse;

  @ListOf(() => ListWarningResponse, { description: 'What to look at before the list is started.' })
  warnings: ListWarningResponse[];
}

export function toPreviewResponse(preview: ListPreview): ListPreviewResponse {
  return {
    rows: preview.rows,
    unique: preview.unique,
    duplicates: preview.duplicates,
    stored: preview.stored,
    invalid_syntax: preview.invalidSyntax,
    disposable: preview.disposable,
    role: preview.role,
    privacy_relay: preview.privacyRelay,
    dead_domains: preview.deadDomains,
    dead_addresses: preview.deadAddresses,
    providers: preview.providers,
    max_charge: preview.maxCharge,
    eta_seconds: preview.etaSeconds,
    warnings: preview.warnings,
  };
}
