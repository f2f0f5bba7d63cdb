import { createEngine } from '@rcpt/engine';
const [engine, signal] = [createEngine(), AbortSignal.timeout(2_000)];
const verdict = engine.verify(process.argv[2], { signal }).then(({ status }) => status);
console.log(await verdict.catch((error) => error.message));
await engine.close();
