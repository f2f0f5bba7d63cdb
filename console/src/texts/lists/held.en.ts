export const heldEn = {
  held: {
    next: 'Continue',
    nextHint:
      'Uploads the list and shows what it contains and what it costs at most. Nothing is charged before you start it.',
    lookOnly:
      'You can look at what a list contains and costs. To start it, the team needs a tier with lists. With a test key lists can be tried at no cost.',
    once: 'Verify each mailbox once',
    onceHint:
      'Some providers deliver several addresses to one mailbox, such as jane@gmail.com and j.ane+news@gmail.com. Only the first is verified and charged; the others get the same result.',
    title: 'What the list contains',
    waiting: 'The list is being read. Nothing has been charged, and no mail server is asked.',
    isRead: 'The list was read. Nothing has been charged, and no mail server was asked.',
    rowCount: (rows: string) => `${rows} ${rows === '1' ? 'row' : 'rows'}`,
    /** What rows are; one of each is a row. */
    parts: {
      unique: (count: string, n: number) => `${count} ${n === 1 ? 'address' : 'addresses'}`,
      mailboxes: (count: string, n: number) => `${count} ${n === 1 ? 'mailbox' : 'mailboxes'}`,
      duplicates: (count: string, _n: number) => `${count} again`,
      invalid_syntax: (count: string, n: number) =>
        n === 1 ? `${count} text that is no address` : `${count} different texts that are no addresses`,
      empty: (count: string, _n: number) => `${count} empty`,
    },
    none: (names: string) => `None of these: ${names}.`,
    testKey: 'a test key is charged nothing',
    change: 'Change how the file is read',
    group: (count: number) =>
      count === 1 ? '1 list waits for its start' : `${count} lists wait for their start`,
    many: (count: number, most: number) => `${count} of at most ${most} lists wait for their start.`,
    full: (most: number) =>
      `${most} lists wait for their start, as many as may. Start or delete one of them before you upload another.`,
    show: 'Show them',
    stored: 'Answer known already',
    disposable: 'Disposable addresses',
    role: 'Role addresses',
    privacy_relay: 'Privacy relays',
    dead_addresses: 'At domains without mail',
    max_charge: 'Costs at most',
    units: (count: string) => `${count} ${count === '1' ? 'verification' : 'verifications'}`,
    duration: 'Takes about',
    between: (low: string, high: string) => (low === high ? low : `${low} to ${high}`),
    providers: 'Providers',
    warnings: 'Look at these rows',
    line: (line: number) => `Line ${line}:`,
    warning: {} as Readonly<Record<string, string>>,
    start: 'Start',
    startFor: (count: string) =>
      count === '0'
        ? 'Start: costs nothing'
        : `Start: at most ${count} ${count === '1' ? 'verification' : 'verifications'}`,
    discard: 'Delete it',
    discarded: (name: string) => `“${name}” was deleted.`,
    expires: (time: string) => `Without a start the list is deleted on ${time}.`,
    decide: 'Start or delete it',
    until: (time: string) => `until ${time}`,
    refused: {
      quota: (count: string, left: string) =>
        `The start needs a verification for each of the ${count} addresses, and ${left} are left today. The list was not started.`,
      isTested:
        'With a test key one list is verified at a time. Start this one when the other one has ended.',
      tooMany: (limit: string) =>
        `Lists that were not started: at most ${limit} at a time. Start or delete one of them.`,
      gone: 'The list was deleted, or was not started within 24 hours. Upload it again.',
      queueFull: 'Too many rows wait to be verified. The list stays here: start it later.',
    },
  },
};
