// Reads the output of a service that starts for the first time, and asks it for a verdict with the test key that it
// prints: docker logs --follow CONTAINER | node scripts/first-verdict.mjs
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.includes('"event":"ready"')) continue;
  const { url, first_keys } = JSON.parse(line);
  const headers = { authorization: `Bearer ${first_keys.test}` };
  const response = await fetch(`${url}/v1/verify?email=jane@example.com`, { headers });
  const { status, reason } = await response.json();
  console.log(JSON.stringify({ status, reason }));
  process.exit(status === 'deliverable' ? 0 : 1);
}
console.error('the service ended before it was ready');
process.exit(1);
