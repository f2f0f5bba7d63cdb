const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` when a signal ends the process, which then ends by that signal, so that a shell sees it.
 *
 * @param end must be synchronous.
 * @returns stops waiting for signals.
 */
export function onInterruption(end: () => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    release();
    end();
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return release;
}
