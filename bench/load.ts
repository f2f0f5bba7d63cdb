import { installedTools } from '../test/support/processes/installed-tools.js';

/** The options and results of autocannon that the benchmarks use. */
interface LoadOptions {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  /** In seconds. */
  duration: number;
  /** Requests per second of all connections; without it, as many as possible. */
  overallRate?: number;
}

interface LoadResult {
  requests: { average: number; total: number };
  /** In milliseconds. */
  latency: { p50: number; p97_5: number; p99: number };
  non2xx: number;
  errors: number;
}

const tools = await installedTools(['autocannon@9.0.0']);
if (tools === null) process.exit(1);
const { default: autocannon } = (await import(tools.url('autocannon'))) as {
  default: (options: LoadOptions) => Promise<LoadResult>;
};
// What it needs is loaded.
await tools.remove();

export { autocannon };
