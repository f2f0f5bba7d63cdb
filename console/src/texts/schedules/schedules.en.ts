export const schedulesEn = {
  schedules: {
    title: 'Schedules',
    intro:
      'A schedule reads a list at regular times, and verifies only what is new or was verified long ago. All other rows cost nothing.',
    docs: 'Sources, runs and failures are described in the documentation.',
    create: 'Add a schedule',
    createFirst: 'Add the first schedule',
    emptyTitle: 'No schedules yet',
    empty: 'Add one to keep a list clean: a file at a URL, or lists of listmonk.',
    emptyPlan: 'A plan with schedules shows them here with their runs.',
    liveOnly: 'A live key is needed to add, change and run schedules.',
    notIncluded: (tier: string) => `The tier “${tier}” has no schedules`,
    notIncludedHint: 'Schedules that were added before can be changed and deleted, and their runs fail.',
    back: 'All schedules',
    // What a schedule does.
    sentence: (what: string, when: string, days: string) =>
      `Reads ${what} ${when}, and verifies addresses that are new or were last verified more than ${days === '1' ? 'a day' : `${days} days`} ago.`,
    file: (place: string) => `the file ${place}`,
    lists: (ids: string, count: number, host: string) =>
      `${count === 1 ? 'list' : 'lists'} ${ids} of listmonk at ${host}`,
    when: {
      day: (time: string) => `every day at ${time}`,
      week: (time: string, weekday: string) => `every ${weekday} at ${time}`,
      month: (time: string, day: number) =>
        day === 31
          ? `on the last day of every month at ${time}`
          : `on day ${day} of every month${day > 28 ? ', or its last day,' : ''} at ${time}`,
    },
    /** @param shift days by which the reader's date differs. */
    bothTimes: (utc: string, local: string, shift: number) =>
      `${utc} UTC (${local} in your time zone${shift === 0 ? '' : shift > 0 ? ', on the next day' : ', on the day before'})`,
    then: {
      blocklist_undeliverable:
        'Undeliverable subscribers are blocklisted in listmonk, which ends all their subscriptions, on all lists. Nobody is deleted.',
      attributes: 'The result becomes the attribute “rcpt” of each subscriber in listmonk.',
      none: 'The results are in the lists of its runs; nothing is written to the source.',
    },
    next: (time: string) => `Next run: ${time}.`,
    enabled: 'Enabled',
    disabled: 'Disabled',
    lastFailed: 'Last run failed',
    isOff: 'It runs only when you start it.',
    wasDisabled: 'Disabled, because three runs in a row have failed.',
    enableAfter: 'Correct that, then enable it again.',
    // Runs.
    run: 'Run now',
    lastRun: 'Last run',
    neverRun: 'It has not run yet.',
    states: {
      queued: 'Waiting',
      verifying: 'Verifying',
      writing: 'Recording results',
      needs_confirmation: 'Needs an answer',
      completed: 'Completed',
      discarded: 'Discarded',
      failed: 'Failed',
    },
    underWay: {
      queued: 'The source is read next, or now.',
      verifying: 'The addresses are being verified.',
      writing: 'The results are being recorded.',
    },
    rows: (rows: string) => (rows === '1' ? '1 row' : `${rows} rows`),
    /** Rows may have no address, or one that another row has. */
    counts: (rows: string, unchanged: string, verified: string) =>
      `${rows}: ${unchanged} unchanged, ${verified}.`,
    verified: (count: string, parts: string) =>
      count === '0'
        ? 'no address verified'
        : `${count} ${count === '1' ? 'address' : 'addresses'} verified (${parts})`,
    added: (count: string) => `${count} new`,
    old: (count: string) => `${count} with an old result`,
    change: (count: string, status: string) => `${count} now “${status}”`,
    changes: (parts: string) => `Changed status: ${parts}.`,
    written: (count: string) =>
      `${count} ${count === '1' ? 'subscriber has its' : 'subscribers have their'} result in listmonk now.`,
    postponed: (count: string) =>
      `${count} not blocklisted yet: so far the name servers have said only once that ${count === '1' ? 'its domain has' : 'their domains have'} no mail. A run a day later asks again.`,
    notWritten: (count: string) =>
      `${count} ${count === '1' ? 'subscriber was' : 'subscribers were'} not changed in listmonk: gone, with another address, refused by listmonk, or only with a mail to them.`,
    // A run that would blocklist many.
    wouldBlocklist: (count: string, share: string) =>
      `This run would blocklist ${count} ${count === '1' ? 'subscriber' : 'subscribers'} in listmonk, ${share} of all that it has read. Nobody has been blocklisted. Their reasons:`,
    endsAll:
      'listmonk ends all subscriptions of everyone whom it blocklists, on all lists. To enable a subscriber again does not bring them back.',
    answerBy: (time: string) => `Without an answer it is discarded: ${time}.`,
    writeThem: 'Write them',
    writeTitle: 'Blocklist in listmonk',
    writeAsk: (count: string) =>
      `Blocklist ${count} ${count === '1' ? 'subscriber' : 'subscribers'}? listmonk ends all their subscriptions, on all lists, and enabling them again does not bring these back.`,
    discard: 'Discard',
    wasDiscarded: 'Nobody was blocklisted: it was discarded.',
    noChanges: 'No address has another status than before.',
    runs: 'Runs',
    began: 'Began',
    result: 'Result',
    /** By code; the API's sentences are English. */
    failures: {} as Readonly<Record<string, string>>,
    // Actions.
    actions: (name: string) => `Actions for “${name}”`,
    edit: 'Edit',
    enable: 'Enable',
    disable: 'Disable',
    nowDisabled: (name: string) => `The schedule “${name}” is disabled.`,
    deleteTitle: 'Delete the schedule',
    deleteAsk: (name: string) =>
      `Delete “${name}” and its history of runs? The lists of its runs remain, and nothing changes at its source. This cannot be undone.`,
    // The form.
    editTitle: 'Edit the schedule',
    name: 'Name',
    every: 'It runs',
    intervals: { day: 'every day', week: 'every week', month: 'every month' },
    at: 'At',
    atHint: 'The hour is one of UTC, also when clocks change.',
    kind: 'Source',
    kinds: { url: 'A file (CSV or NDJSON)', listmonk: 'Lists of listmonk' },
    url: { url: 'URL of the file', listmonk: 'URL of listmonk' },
    urlHint: {
      url: 'At most 512 MB. It is read with GET, and redirects are followed.',
      listmonk: 'As you open it in the browser, without the path of a page.',
    },
    headers: 'Headers of the request',
    column: 'Column with the addresses',
    headersHint:
      'One a line, such as “Authorization: Bearer …”. They are stored encrypted, and not shown again.',
    headersWrong: (line: number) => `Line ${line}: write a name, a colon and a value.`,
    headersTwice: (line: number) => `Line ${line}: a header above has the same name.`,
    headersStored: (names: string) => `Stored: ${names}. The values are not shown.`,
    replaceHeaders: 'Replace the stored headers',
    replaceHint: 'Without a line, the request has no headers.',
    otherHost: (names: string) =>
      `The stored headers (${names}) are not sent to another host. Enter them again.`,
    username: 'API user',
    usernameHint:
      'In listmonk: Admin, Users, a user of the type API. It needs to read subscribers, and to change them if results are written.',
    token: 'Token',
    tokenHint: 'It is stored encrypted, and not shown again.',
    tokenStored: 'A token is stored. Leave this empty to keep it.',
    tokenOtherHost: 'The stored token is not sent to another host. Enter it again.',
    listIds: 'Lists',
    listIdsHint:
      'The ids of the lists, separated by commas, such as 1, 4. Subscribers on the blocklist of listmonk are left out.',
    listIdsWrong: 'Enter whole numbers, separated by commas.',
    maxAge: 'Verify again after',
    maxAgeHint:
      'Days, from 1 to 365. Addresses that were verified in these days are not verified again, and cost nothing.',
    onResult: 'What happens in listmonk',
    actionsIn: {
      none: 'Nothing. You see the results here.',
      attributes:
        'The result becomes the attribute “rcpt” of each verified subscriber. Other attributes stay. Subscribers to whom listmonk would send a mail for it are left alone.',
      blocklist_undeliverable:
        'Subscribers whose address is undeliverable are blocklisted: listmonk ends all their subscriptions, on all lists, and sends them nothing more. To enable them again does not bring the subscriptions back.',
    },
    maxShare: 'Ask me before it blocklists more than (%)',
    maxHint: 'Of all that a run has read. It asks when both are exceeded, and you get a mail.',
    maxCount: '… and more than (subscribers)',
    neverDeleted: 'Nobody is ever deleted, and a subscriber with a new address is left alone.',
    // On the page of a list.
    from: 'From the schedule',
    fromDeleted: 'From a schedule that was deleted.',
  },
};
