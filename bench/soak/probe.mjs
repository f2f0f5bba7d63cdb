// Preloaded into the service: reports its memory after a garbage collection on request.
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  const handles = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  process.send({ heapUsed, rss, external, handles });
});
process.channel.unref();
