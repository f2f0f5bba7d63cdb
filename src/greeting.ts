import { INSTALLATION } from './platform/installation/installation.js';
import type { RunningService } from './serve.js';

type ReadyService = Pick<RunningService, 'url' | 'firstAccount' | 'servesApi' | 'isPaused' | 'logFormat'> & {
  isUnused?: boolean;
};

/** Output when the service is ready, in the format of the log: text, or one JSON line. */
export function greeting(service: ReadyService, now: Date): string {
  return service.logFormat === 'text' ? textOf(service) : `${JSON.stringify(jsonOf(service, now))}\n`;
}

/** For a person, when a signal ends the service. */
export const ENDING =
  'Rcpt ends when its requests and jobs have ended, in 25 seconds at most. Ctrl-C ends it at once.\n';

/** Not written by the log, which contains no keys: this line shows the first keys, once. */
function jsonOf(service: ReadyService, now: Date) {
  const { url, firstAccount, servesApi, isPaused, isUnused = false } = service;
  const pages = servesApi ? { docs: `${url}/docs`, console: `${url}/console` } : {};
  const paused = isPaused ? { paused: true } : {};
  const line = {
    event: 'ready',
    time: now.toISOString(),
    message: readyOn(service),
    url,
    ...pages,
    ...paused,
    ...(isUnused && { hint: howToMakeKey() }),
  };
  if (firstAccount === null) return line;
  const { liveKey, testKey } = firstAccount;
  return {
    ...line,
    console: consoleLink(url, firstAccount),
    first_keys: { live: liveKey, test: testKey },
    try: exampleCalls(url, firstAccount),
  };
}

function textOf(service: ReadyService): string {
  const { url, firstAccount, isPaused, isUnused = false } = service;
  const paused = isPaused ? `It is paused. To end this, run \`${INSTALLATION.command} resume\`.\n` : '';
  const ready = `${readyOn(service)}\n${paused}`;
  if (firstAccount === null) return isUnused ? `${ready}${howToMakeKey()}\n` : ready;
  const [deliverable, notFound, live] = exampleCalls(url, firstAccount).map((call) => `  ${call}\n`);
  return `${ready}
This is the first start. These keys are shown only once:
  live key   ${firstAccount.liveKey}
  test key   ${firstAccount.testKey}

To use Rcpt in a browser, open this link. It signs you in with the live key:
  ${consoleLink(url, firstAccount)}

A test key opens no network connection; the address selects the result:
${deliverable}${notFound}
A live key queries DNS and mail servers (outbound port 25 must be open):
${live}
To check whether mail servers can be reached from this machine, run \`${INSTALLATION.command} doctor\`.
`;
}

const howToMakeKey = () =>
  `No key has been used yet. If none is at hand, \`${INSTALLATION.command} teams list\` shows the team, and \`${INSTALLATION.command} keys create --team ID --name NAME\` makes a key.`;

/** A worker has neither console nor documentation. */
const readyOn = ({ url, servesApi }: ReadyService) =>
  servesApi
    ? `Rcpt is ready on ${url} (console: ${url}/console, documentation: ${url}/docs)`
    : `Rcpt is ready on ${url} (a worker: ${url}/readyz, no API)`;

/** The key is in the fragment, which a browser does not send. The console removes it from the address bar. */
const consoleLink = (url: string, { liveKey }: NonNullable<ReadyService['firstAccount']>) =>
  `${url}/console#key=${liveKey}`;

function exampleCalls(
  url: string,
  { liveKey, testKey }: NonNullable<ReadyService['firstAccount']>,
): [string, string, string] {
  const call = (key: string, email: string) =>
    `curl -H 'Authorization: Bearer ${key}' '${url}/v1/verify?email=${email}'`;
  return [
    call(testKey, 'jane@example.com'),
    call(testKey, 'mailbox_not_found@example.com'),
    call(liveKey, 'someone@gmail.com'),
  ];
}
