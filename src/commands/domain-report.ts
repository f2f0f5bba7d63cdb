import { DisposableService } from '../modules/disposable/disposable.service.js';
import { ListReportService, type ListOrigin } from '../modules/verification/list-report.service.js';
import { domainOf } from './disposable.js';
import { DisposableModule } from '../modules/disposable/disposable.module.js';
import { EngineModule } from '../modules/verification/engine.module.js';
import { withDatabase } from './command-context.js';
import { print, type Format } from './terminal.js';

/** What is said about a domain, by whom, and what follows from it. */
export async function showDomain(domain: string, options: Format): Promise<void> {
  const named = domainOf(domain);
  await withDatabase([DisposableModule, EngineModule], async (services) => {
    const override = await services(DisposableService).operators(named);
    const { entry, privacyRelay, mentions, lists } = services(ListReportService).about(named);
    const disposable = override === null ? entry !== null : override.verdict === 'disposable';
    const answer = {
      domain: named,
      disposable,
      decided_by: override !== null ? 'operator' : entry !== null ? 'lists' : null,
      operator: override && { pattern: override.pattern, verdict: override.verdict },
      privacy_relay: privacyRelay?.source ?? null,
      mentions: mentions.map(({ pattern, agreeing, believed }) => ({
        pattern,
        sources: agreeing.map(inFull),
        agree: agreeing.length,
        of: lists.length,
        believed,
      })),
      lists: lists.map(inFull),
    };
    print(options, answer, () =>
      [
        `${named} ${disposable ? 'is' : 'is not'} disposable`,
        ...(override === null ? [] : [`  the operator: ${override.pattern} is ${override.verdict}`]),
        ...(privacyRelay === null ? [] : [`  a privacy relay, ${privacyRelay.source}`]),
        ...mentions.flatMap(({ pattern, agreeing, believed }) => [
          `  ${pattern}: on ${agreeing.length} of ${lists.length} lists${believed ? '' : ', not believed: people live there'}`,
          ...agreeing.map((list) => `    ${inWords(list)}`),
        ]),
      ].join('\n'),
    );
  });
}

function inFull({ name, licence, readAt, sha256, count }: ListOrigin): object {
  return { name, licence, read_at: readAt?.toISOString() ?? null, sha256, count };
}

function inWords({ name, licence, readAt, count }: ListOrigin): string {
  const from = readAt === null ? 'came with the program' : `read ${readAt.toISOString().slice(0, 10)}`;
  return [name, licence ?? 'licence not told', `${count} domains`, from].join(', ');
}
