import { expect, it } from '@jest/globals';
import { VARIABLES } from '../../../test/support/app/environment.js';
import { SETTINGS } from './config.js';
import { unknownVariables } from './unknown-variables.js';

const sentences = (env: Record<string, string>) => unknownVariables(SETTINGS, env);

it('knows every setting', () => {
  expect([...SETTINGS].sort()).toEqual([...VARIABLES].sort());
});

it.each([
  ['SMTP_HELO', 'SMTP_HELO_NAME'],
  ['DNS_SERVER', 'DNS_SERVERS'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['SECRET_KEYS', 'SECRET_KEY'],
  ['WEBHOOK_ALLOW_CIDR', 'WEBHOOK_ALLOW_CIDRS'],
])('%s is said to be no setting, and %s is named', (name, meant) => {
  expect(sentences({ [name]: 'x' })).toEqual([`${name} is no setting and has no effect; ${meant} is one.`]);
});

it('names the documents for another variable with the prefix of settings', () => {
  expect(sentences({ SMTP_USERNAME: 'x' })).toEqual([
    'SMTP_USERNAME is no setting and has no effect; docs/installation.md lists the settings.',
  ]);
});

it('says nothing about settings, blank variables and those of other programs', () => {
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, 'x']));
  const others = {
    PATH: 'x',
    HOSTNAME: 'x',
    RCPT_URL: 'x',
    RCPT_SERVICE_HOST: 'x',
    REDIS_SERVICE_HOST: 'x',
    DNS_X: ' ',
  };
  expect(sentences({ ...settings, ...others })).toEqual([]);
});
