import { plain, type MailScene } from './mail-scene.js';

const KNOWN: MailScene['expect'] = { jane: 'accepted_email', ghost: 'mailbox_not_found' };

/** A domain whose only MX record is written so; `{host}` is the name of its server. */
function writtenAs(name: string, exchange: string, story: string): MailScene {
  const domain = `${name}.mailworld`;
  const host = `mx.${domain}`;
  return {
    domain,
    story,
    servers: [plain],
    hosts: [host],
    dns: { [domain]: { mx: [[10, exchange.replace('{host}', host)]] } },
    expect: KNOWN,
  };
}

/** MX records as people write them. */
export const EXCHANGES: MailScene[] = [
  writtenAs('mxaddress', '{address}', 'names the address of its server in the MX record'),
  writtenAs('mxliteral', '[{address}]', 'names the address in brackets'),
  writtenAs('mxscheme', 'http://{host}', 'names its server as a URL'),
  writtenAs('mxport', '{host}:25', 'names its server with a port'),
  writtenAs('mxspace', '{host} ', 'has a space behind the name of its server'),
  writtenAs('mxpreference', '10 {host}', 'has the preference twice'),
  writtenAs('mxcapitals', 'MX.MXCAPITALS.MAILWORLD', 'names its server in capital letters'),
  {
    domain: 'mxprivate.mailworld',
    story: 'names an address in a private network in its MX record, which must not be dialled',
    dns: { 'mxprivate.mailworld': { mx: [[10, '10.11.12.13']] } },
    expect: { jane: 'unsafe_mail_server' },
  },
  {
    domain: 'mxmailbox.mailworld',
    story: 'names a mailbox in its MX record, and has an address of its own',
    dns: { 'mxmailbox.mailworld': { mx: [[10, 'postmaster@mxmailbox.mailworld']], a: ['127.9.9.9'] } },
    expect: { jane: 'dns_error' },
  },
  {
    domain: 'mxnothing.mailworld',
    story: 'has an MX record that names no host, and no address',
    dns: { 'mxnothing.mailworld': { mx: [[10, '?']] } },
    expect: { jane: 'no_mail_server' },
  },
  {
    domain: 'mxroot.mailworld',
    story: 'has an MX record for the root with another preference than the null MX, and an address',
    dns: { 'mxroot.mailworld': { mx: [[10, '.']], a: ['127.9.9.9'] } },
    expect: { jane: 'dns_error' },
  },
  {
    domain: 'mxboth.mailworld',
    story: 'has an MX record that names no host before one that does',
    servers: [plain],
    hosts: ['mx.mxboth.mailworld'],
    dns: {
      'mxboth.mailworld': {
        mx: [
          [5, 'see our website'],
          [10, 'mx.mxboth.mailworld'],
        ],
      },
    },
    expect: KNOWN,
  },
  {
    domain: 'mxgone.mailworld',
    story: 'has an MX record that names no host beside one whose host does not exist',
    dns: {
      'mxgone.mailworld': {
        mx: [
          [5, 'gone.mxgone.mailworld'],
          [10, 'postmaster@mxgone.mailworld'],
        ],
      },
    },
    expect: { jane: 'dns_error' },
  },
];
