import type { RunningService } from './serve.js';

/** What a person at the terminal reads once the service is up. */
export function greeting({ url, firstAccount }: RunningService): string {
  const ready = `Rcpt is ready on ${url} (documentation: ${url}/docs)\n`;
  if (firstAccount === null) return ready;
  const call = (key: string, email: string) =>
    `  curl -H 'Authorization: Bearer ${key}' '${url}/v1/verify?email=${email}'\n`;
  return `${ready}
This is the first start. These keys are shown now and never again:
  live key   ${firstAccount.liveKey}
  test key   ${firstAccount.testKey}

With the test key nothing leaves this machine, and the address picks the answer:
${call(firstAccount.testKey, 'jane@example.com')}${call(firstAccount.testKey, 'mailbox_not_found@example.com')}
With the live key real name and mail servers are asked (port 25 must be open):
${call(firstAccount.liveKey, 'someone@gmail.com')}
Can mail servers be asked from here? \`npx --no rcpt doctor\` tells, and what to do.
`;
}
