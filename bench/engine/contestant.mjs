// Runs one engine once, in its own process to measure its peak memory, and in plain JavaScript so that no
// compiler is included. Receives its task and sends its result by IPC.
const [engine, place] = [process.argv[2], JSON.parse(process.argv[3])];

async function verdictsOf() {
  if (engine !== 'rcpt') return (await import('./peers.mjs')).peerAt(engine, place);
  return (await import('./ours.mjs')).engineAt(place);
}

const check = await verdictsOf();
const idleRss = process.memoryUsage.rss();
process.on('message', async ({ emails, concurrency }) => {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const verdicts = [];
  let ms = 0;
  for await (const verdict of check(emails, concurrency)) {
    ms = performance.now() - began;
    verdicts.push({ ...verdict, atMs: ms });
  }
  const { user, system } = process.cpuUsage(cpu);
  const { maxRSS } = process.resourceUsage();
  process.send({
    ms,
    verdicts,
    cpuMs: (user + system) / 1000,
    idleMb: idleRss / 2 ** 20,
    peakMb: maxRSS / 1024,
  });
});
process.send('ready');
