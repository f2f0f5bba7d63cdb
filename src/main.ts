import { parseArgs } from 'node:util';
import { runService, type RoleFlags } from './run-service.js';

const USAGE = 'usage: node dist/main.js [--api | --worker] [--paused]';
const HELP = `${USAGE}

Starts the service: without a flag, the API and the background work in one process.

  --api       only the API
  --worker    only the background work
  --paused    send nothing to other systems until rcpt resume
  -h, --help  print this text

Settings are environment variables (docs/installation.md). For commands see: node bin/rcpt.js --help
`;
const EX_USAGE = 64;

function flagsIn(args: string[]): RoleFlags {
  try {
    const { values } = parseArgs({
      args,
      options: {
        api: { type: 'boolean' },
        worker: { type: 'boolean' },
        paused: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    return values;
  } catch {
    process.stderr.write(`${USAGE}\n`);
    process.exit(EX_USAGE);
  }
}

await runService(flagsIn(process.argv.slice(2)));
