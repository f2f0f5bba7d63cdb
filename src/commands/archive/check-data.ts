import { DATA_CHECKS } from '../../modules/data-checks.js';
import { ENCRYPTED, SCHEMAS } from '../../modules/schema.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { DatabaseCheck, type CheckSummary } from '../../platform/database/checks/database-check.js';
import type { Finding } from '../../platform/database/checks/data-checks.js';
import { MaintenanceModule } from '../../platform/database/maintenance/maintenance.module.js';
import { findSecretKeys } from '../../platform/database/secret-key-file.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { withModules } from '../command-context.js';
import { requireDatabase } from '../database-context.js';
import { printable } from '../../kernel/text/printable.js';
import { plural, print, type Format } from '../terminal.js';

export async function checkData(options: Format): Promise<void> {
  requireDatabase();
  await withModules([MaintenanceModule.forRoot(SCHEMAS)], async (services) => {
    const keys = await findSecretKeys(services(Config));
    if (keys === null) throw new ConfigError('there is no secret key: DATA_DIR has no file secret-key');
    const summary = await services(DatabaseCheck).run(DATA_CHECKS, ENCRYPTED, new SecretKeys(keys));
    const { tables, decrypted, findings } = summary;
    print(options, { ok: findings.length === 0, tables, decrypted, findings }, () =>
      sentences(summary).join('\n'),
    );
    if (findings.length > 0) process.exitCode = 1;
  });
}

function sentences({ tables, decrypted, findings }: CheckSummary): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const read = `Read ${plural(rows, 'row')} of ${plural(tables.length, 'table')}, and decrypted ${plural(decrypted, 'value')}.`;
  const result = findings.length === 0 ? 'Nothing is wrong.' : `${plural(findings.length, 'problem')}:`;
  return [read, result, ...findings.map(sentence)];
}

function sentence({ place, problem, rows, ids }: Finding): string {
  const count = rows === 0 ? '' : `${plural(rows, 'row')} `;
  const more = rows > ids.length && ids.length > 0 ? ' …' : '';
  return `${place}: ${count}${problem}${ids.length === 0 ? '' : `: ${ids.map(printable).join(', ')}${more}`}`;
}
