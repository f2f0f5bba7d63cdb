import { describe, expect, it } from '@jest/globals';
import { csvList } from './csv-list.js';

async function read(body: string): Promise<string[]> {
  async function* bytes() {
    yield await Promise.resolve(Buffer.from(body));
  }
  const emails = [];
  for await (const { entries } of csvList(bytes())) emails.push(...entries.map(({ email }) => email));
  return emails;
}

const ADDRESS = 'anna@example.com';

describe('a file that is no table', () => {
  it.each([
    ['vCard', `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEMAIL;TYPE=INTERNET:${ADDRESS}\r\nEND:VCARD\r\n`],
    ['vCard', `\uFEFF\nbegin:vcard\nEMAIL:${ADDRESS}\nend:vcard`],
    ['iCalendar', `BEGIN:VCALENDAR\nATTENDEE:mailto:${ADDRESS}\n`],
    ['LDIF', `version: 1\n\ndn: cn=Anna,dc=example,dc=net\nmail: ${ADDRESS}\n`],
    ['LDIF', `# extended LDIF\n#\n# base <dc=example>\n\n# Anna\ndn:: Y249QW5uYQ==\nmail: ${ADDRESS}\n`],
    [
      'HTML',
      `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table><tr><td>${ADDRESS}</td></tr></table>`,
    ],
    ['HTML', `<!DOCTYPE html>\n<title>Members</title>\n${ADDRESS}`],
    ['HTML', `<table>\n<tr><td>${ADDRESS}</td></tr>\n</table>`],
    [
      'workbook as XML',
      `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>${ADDRESS}</Workbook>`,
    ],
    ['XML', `<?xml version="1.0" encoding="utf-8"?>\n<people><mail>${ADDRESS}</mail></people>`],
    ['XML', `<people>\n  <mail>${ADDRESS}</mail>\n</people>`],
    ['RTF', `{\\rtf1\\ansi ${ADDRESS}\\par }`],
    ['JSON', `{"emails": ["${ADDRESS}", "ben@example.com"]}`],
    ['JSON', `[\n  {"email": "${ADDRESS}"},\n  {"email": "ben@example.com"}\n]`],
    ['JSON', `{"email":"${ADDRESS}"}\n{"email":"ben@example.com"}\n`],
    ['JSON', `["${ADDRESS}","ben@example.com"]`],
    ['mbox', `From ${ADDRESS} Tue Nov 10 10:00:00 2026\nSubject: a\n\nb\n`],
    ['a mail', `Return-Path: <>\nFrom: ${ADDRESS}\nSubject: a\n\nb\n`],
    [
      'SQL',
      `-- MySQL dump 10.13\n--\n\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS people;\nINSERT INTO people VALUES ('${ADDRESS}');\n`,
    ],
    ['SQL', `INSERT INTO people (mail) VALUES ('${ADDRESS}');`],
    ['YAML', `---\n- name: Anna\n  email: ${ADDRESS}\n`],
    ['YAML', `people:\n  - email: ${ADDRESS}\n`],
    ['Markdown', `| Name | Mail |\n|------|:-----|\n| Anna | ${ADDRESS} |\n`],
  ])('is refused with what it is: %s', async (kind, text) => {
    await expect(read(text)).rejects.toThrow(new RegExp(`This is .*\\b${kind.replace(/^a /, '')}`));
  });

  it.each([
    ['comments', `# from the shop\nname,email\nAnna,${ADDRESS}`],
    ['hyphens', `----------\nname,email\nAnna,${ADDRESS}`],
    ['names in brackets', `<Name>;<Email>\nAnna;${ADDRESS}`],
    ['addresses in brackets', `<${ADDRESS}>`],
    ['a title with a colon', `From: the shop\nname,email\nAnna,${ADDRESS}`],
    ['vertical bars at both ends', `|name|email|\n|Anna|${ADDRESS}|\n|Ben|ben@example.com|`],
    ['a word of SQL', `Select,email\nyes,${ADDRESS}`],
    ['a bracket', `[id],email\n1,${ADDRESS}`],
  ])('is not what begins with %s', async (_, text) => {
    expect((await read(text))[0]).toContain(ADDRESS);
  });
});
