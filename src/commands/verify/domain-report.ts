import { DisposableService } from '../../modules/verification/disposable/disposable.service.js';
import {
  DomainListsService,
  type ListOrigin,
} from '../../modules/verification/mail-servers/domain-lists.service.js';
import { domainOf } from '../admin/disposable.js';
import { DisposableModule } from '../../modules/verification/disposable/disposable.module.js';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import { withDatabase } from '../database-context.js';
import { print, type Format } from '../terminal.js';

export async function showDomain(domain: string, options: Format): Promise<void> {
  const parsedDomain = domainOf(domain);
  await withDatabase([DisposableModule, MailServersModule], async (services) => {
    const override = await services(DisposableService).operators(parsedDomain);
    const {
      entry,
      privacyRelay,
      matches: mentions,
      lists,
    } = services(DomainListsService).about(parsedDomain);
    const disposable = override === null ? entry !== null : override.verdict === 'disposable';
    const report = {
      domain: parsedDomain,
      disposable,
      decided_by: override !== null ? 'operator' : entry !== null ? 'lists' : null,
      operator: override && { pattern: override.pattern, verdict: override.verdict },
      privacy_relay: privacyRelay?.source ?? null,
      mentions: mentions.map(({ pattern, matching, effective }) => ({
        pattern,
        sources: matching.map(toJson),
        agree: matching.length,
        of: lists.length,
        believed: effective,
      })),
      lists: lists.map(toJson),
    };
    print(options, report, () =>
      [
        `${parsedDomain} ${disposable ? 'is' : 'is not'} disposable`,
        ...(override === null ? [] : [`  the operator: ${override.pattern} is ${override.verdict}`]),
        ...(privacyRelay === null ? [] : [`  a privacy relay, ${privacyRelay.source}`]),
        ...mentions.flatMap(({ pattern, matching, effective }) => [
          `  ${pattern}: on ${matching.length} of ${lists.length} lists${effective ? '' : ', ignored: not a disposable domain'}`,
          ...matching.map((list) => `    ${toText(list)}`),
        ]),
      ].join('\n'),
    );
  });
}

function toJson({ name, licence, readAt, sha256, count }: ListOrigin): object {
  return { name, licence, read_at: readAt?.toISOString() ?? null, sha256, count };
}

function toText({ name, licence, readAt, count }: ListOrigin): string {
  const from = readAt === null ? 'packaged' : `read ${readAt.toISOString().slice(0, 10)}`;
  return [name, licence ?? 'license unknown', `${count} domains`, from].join(', ');
}
