import { describe, expect, it } from '@jest/globals';
import { acceptsAllByTable, consumerProviderOf, providerOf, isNeverCatchAll } from './mail-exchange.js';

const to = (...hosts: string[]) => hosts.map((host) => ({ host, preference: 10 }));

describe('the provider', () => {
  it.each([
    ['aspmx.l.google.com', 'google'],
    ['ALT4.ASPMX.L.GOOGLE.COM.', 'google'],
    ['contoso-com.mail.protection.outlook.com', 'microsoft'],
    ['outlook-com.olc.protection.outlook.com', 'microsoft'],
    ['contoso-com.a-v1.mx.microsoft', 'microsoft'],
    ['mta5.am0.yahoodns.net', 'yahoo'],
    ['mx01.mail.icloud.com', 'apple'],
    ['mx.zoho.eu', 'zoho'],
    ['mx.yandex.net', 'yandex'],
    ['mail.protonmail.ch', 'proton'],
    ['in1-smtp.messagingengine.com', 'fastmail'],
    ['us-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['mxa-00000001.gslb.pphosted.com', 'proofpoint'],
    ['d1.ess.barracudanetworks.com', 'barracuda'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'amazon'],
    ['smtp.google.com', 'google'],
    ['aspmx3.googlemail.com', 'google'],
    ['mx-eu.mail.am0.yahoodns.net', 'yahoo'],
    ['mx00.emig.gmx.net', 'gmx'],
    ['mx-ha02.web.de', 'gmx'],
    ['mx01.ionos.co.uk', 'ionos'],
    ['mxbiz1.qq.com', 'tencent'],
    ['qiye163mx01.mxmail.netease.com', 'netease'],
    ['mailstore1.europe.secureserver.net', 'godaddy'],
    ['mx2h1.comcast.net', 'comcast'],
    ['mx1.mxge.comcast.net', 'comcast'],
    ['mx1-us1.ppe-hosted.com', 'proofpoint'],
    ['mx0a-00069f02.pphosted.com', 'proofpoint'],
    ['d1.ess.uk.barracudanetworks.com', 'barracuda'],
    ['corp.in.tmes-uk.trendmicro.com', 'trendmicro'],
    ['mx1.hc3370-68.iphmx.com', 'cisco'],
    ['mx2.hc4711-12.eu.iphmx.com', 'cisco'],
    ['mx1.corp.c3s2.iphmx.com', 'cisco'],
    ['esa1.corp.ap.iphmx.com', 'cisco'],
    ['mx.in.etd.cisco.com', 'cisco'],
    ['mx.usgov.etd.cisco', 'cisco'],
    ['contoso-de.mail.protection.outlook.de', 'microsoft'],
    ['contoso-cn.mail.protection.partner.outlook.cn', 'microsoft'],
    ['contoso-us.mail.protection.office365.us', 'microsoft'],
    ['mx2.zohomail.eu', 'zoho'],
    ['mx.zoho.com.au', 'zoho'],
    ['corp.in.tmes-anz.trendmicro.com', 'trendmicro'],
    ['corp.in.tmems-jp.trendmicro.com', 'trendmicro'],
    ['corp.tmes-uae.trendmicro.com', 'trendmicro'],
    ['corp.in.tmes.trendmicro.eu', 'trendmicro'],
    ['mx-01-eu-central-1.prod.hydra.sophos.com', 'sophos'],
    ['mx-02-us-east-2.prod.hydra.sophos.com', 'sophos'],
    ['de-smtp-inbound-2.mimecast.com', 'mimecast'],
    ['za-smtp-inbound-1.mimecast.co.za', 'mimecast'],
    ['je-smtp-inbound-1.mimecast-offshore.com', 'mimecast'],
    ['mxb-0095a102.gslb.pphosted.com', 'proofpoint'],
    ['mx1-eu1.ppe-hosted.com', 'proofpoint'],
    ['d1.gt3.ess.barracudanetworks.com', 'barracuda'],
    ['d1.ess.au.barracudanetworks.com', 'barracuda'],
    ['inbound-smtp.cn-north-1.amazonaws.com.cn', 'amazon'],
    ['cluster5a.us.messagelabs.com', 'symantec'],
    ['corp.com.1.0001.arsmtp.com', 'appriver'],
  ])('is found by its host %s', (host, provider) => {
    expect(providerOf(host)).toBe(provider);
  });

  it.each([
    'mail.example.com',
    'notgoogle.com',
    'google.com.evil.example',
    'ec2-1-2-3-4.compute.amazonaws.com',
    'mail.protection.outlook.com.evil.example',
    'mx1.hc4711-12.eu.iphmx.com.evil.example',
    'www.iphmx.com',
    'mail.cisco.com',
    'www.trendmicro.com',
    '',
  ])('is null for %p', (host) => {
    expect(providerOf(host)).toBeNull();
  });

  it.each([
    'ip-132-148-1-2.ip.secureserver.net',
    's132-148-1-2.secureserver.net',
    'smtp.ip-1-2-3-4.ip.secureserver.net',
    'c-73-1-2-3.hsd1.ca.comcast.net',
    'mx1.c-73-1-2-3.hsd1.ca.comcast.net',
    'h2web123.infomaniak.ch',
    'vps-12345678.vps.ovh.net',
    'mx1.vps-12345678.vps.ovh.net',
    'customer.awsapps.com',
    'server1.web-hosting.registrar-servers.com',
    'ghs.google.com',
    'mail.customer.qq.com',
  ])('is null for %s, which may be a customer’s machine', (host) => {
    expect(providerOf(host)).toBeNull();
  });

  it('is inconclusive where mail is accepted first and bounced later', () => {
    expect(acceptsAllByTable('mta5.am0.yahoodns.net')).toBe(true);
    expect(acceptsAllByTable('aspmx.l.google.com')).toBe(false);
    expect(acceptsAllByTable('mx.corp.test')).toBe(false);
  });
});

describe('a consumer domain', () => {
  it('is known without its servers, which are not those of the domains of companies', () => {
    expect(['hotmail.co.uk', 'live.nl', 'live.church', 'yahoo.com'].map(consumerProviderOf)).toEqual([
      'microsoft consumer',
      'microsoft consumer',
      null,
      null,
    ]);
  });

  it.each([
    ['gmail.com', 'gmail-smtp-in.l.google.com'],
    ['hotmail.co.uk', 'hotmail-co-uk.olc.protection.outlook.com'],
    ['live.nl', 'eur.olc.protection.outlook.com'],
    ['icloud.com', 'mx02.mail.icloud.com'],
  ])('refuses unknown users on its own servers (%s)', (domain, host) => {
    expect(isNeverCatchAll(domain, to(host))).toBe(true);
  });

  it.each([
    ['gmail.com', 'mx.example.net'],
    ['example.com', 'aspmx.l.google.com'],
    ['live.church', 'live-church.mail.protection.outlook.com'],
    ['yahoo.com', 'mta5.am0.yahoodns.net'],
    ['mail.ru', 'mxs.mail.ru'],
    ['bk.ru', 'mxs.mail.ru'],
  ])('is not known to for %s at %s', (domain, host) => {
    expect(isNeverCatchAll(domain, to(host))).toBe(false);
  });

  it('is not known to when one of its servers is another one’s, or none is given', () => {
    expect(isNeverCatchAll('gmail.com', to('gmail-smtp-in.l.google.com', 'mx.example.net'))).toBe(false);
    expect(isNeverCatchAll('gmail.com', [])).toBe(false);
  });
});
