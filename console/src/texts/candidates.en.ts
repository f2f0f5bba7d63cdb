export const candidatesEn = {
  candidates: {
    title: 'Disposable domains to decide on',
    intro:
      'Overrides of teams, and domains whose mail servers belong to disposable domains. Merge: it applies to all teams. Reject: an override stays with its team, and a domain that was found is not proposed again.',
    domain: 'Domain',
    verdict: 'It is',
    why: 'Why',
    disposable: 'Disposable',
    not_disposable: 'Not disposable',
    byTeam: (team: string) => `Override of the team ${team}`,
    byMx: (host: string, times: number) => `Its mail goes to ${host}; seen ${times} times`,
    merge: 'Merge',
    reject: 'Reject',
    none: 'Nothing waits for you.',
  },
};
