import { run } from './commands/program.js';

const code = await run(process.argv.slice(2));
if (code !== null) process.exit(code);
