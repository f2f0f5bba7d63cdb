import type { domainFactsEn } from './domain-facts.en';

export const domainFactsDe: typeof domainFactsEn = {
  domainFacts: {
    notIncluded: (tier: string) => `Der Tarif „${tier}“ hat keine Angaben zu Domains.`,
    seePlan: 'Zum Tarif',
    names: {
      mail: 'Mailserver',
      catchAll: 'Catch-all',
      kind: 'Art',
      suppressed: 'Ihr Team',
      spf: 'SPF',
      dmarc: 'DMARC',
      mtaSts: 'MTA-STS',
    },
    catchAllUnknown: 'Nicht bekannt: Keine Prüfung Ihres Teams hat es am letzten Tag gezeigt.',
    ofProvider: 'Vom Anbieter bekannt.',
    failed: 'Die Abfrage ist fehlgeschlagen, siehe unten.',
    catchAllYes: 'Die Domain nimmt Post für jede Adresse an.',
    catchAllNo: 'Die Domain lehnt Adressen ab, die es nicht gibt.',
    catchAllAge: (hours: number) =>
      hours === 0
        ? 'Vor weniger als einer Stunde gesehen.'
        : hours === 1
          ? 'Vor einer Stunde gesehen.'
          : `Vor ${hours} Stunden gesehen.`,
    disposable: 'Wegwerf-Postfächer',
    privacyRelay: 'Weiterleitung zum Schutz: leitet an ein anderes Postfach weiter',
    free: 'Freemail-Anbieter',
    ordinary: 'Weder Wegwerf-Adressen noch Weiterleitung zum Schutz noch Freemail-Anbieter.',
    suppressed: (by: string) => `Lehnt jede Adresse der Domain ab (${by}).`,
    notSuppressed: 'Lehnt keine Adresse allein wegen ihrer Domain ab.',
    noRecord: 'Kein Eintrag.',
    fault: {
      several_records: 'Es gibt mehrere Einträge, deshalb nutzen Empfänger keinen.',
      too_long: 'Der Eintrag ist zu lang. Er wird gekürzt gezeigt.',
      invalid: 'Empfänger können den Eintrag nicht nutzen: Er ist nicht gültig.',
    },
    spfAll: {
      pass: 'Mail von jedem anderen Server besteht die Prüfung.',
      fail: 'Mail von jedem anderen Server besteht die Prüfung nicht.',
      softfail: 'Mail von anderen Servern ist zweifelhaft (softfail).',
      neutral: 'Über andere Server wird nichts gesagt (neutral).',
    },
    noAll: 'Über andere Server wird nichts gesagt, außer ein eingebundener Eintrag tut es.',
    dmarcPolicy: {
      none: 'Empfänger sollen nichts ändern (none).',
      quarantine: 'Empfänger sollen Mail, die durchfällt, als verdächtig behandeln (quarantine).',
      reject: 'Empfänger sollen Mail, die durchfällt, ablehnen.',
    },
    testing: 'Der Inhaber bittet darum, die Richtlinie noch nicht anzuwenden.',
    foundAt: (domain: string) => `Veröffentlicht bei ${domain}.`,
    notFetched: 'Die Richtlinie selbst wird nicht abgerufen.',
    errors: 'Was nicht abgefragt werden konnte',
    members: { mx: 'Mailserver', spf: 'SPF', dmarc: 'DMARC', mta_sts: 'MTA-STS' },
    timeout: 'Die Zeit war um.',
    checked: (time: string) => `Abgefragt am ${time}.`,
  },
};
