export const keptEn = {
  kept: {
    send: 'Send only the addresses; the other columns stay in this browser',
    sendHint: 'They are joined with the verdicts when you download them here, and deleted when you sign out.',
    full: (megabytes: number) =>
      `This browser keeps at most ${megabytes} MB of other columns. Delete a list whose columns it keeps, or send all columns.`,
    noStorage: 'This browser cannot store the other columns. Free some of its storage, or send all columns.',
    here: 'The other columns of this list are in this browser only. Files that you download here have them.',
    columns: 'Your columns',
    elsewhere:
      'The other columns of this list are not in this browser: they stayed in the one that sent it, or were deleted there. Results have only the addresses here.',
    addressesIn: (count: string) =>
      count === '1' ? '1 address in the first rows' : `${count} addresses in the first rows`,
    otherColumns: (names: string) =>
      `Addresses are also in: ${names}. A list verifies one column: choose another one, or verify the file once for each.`,
    named: (count: string) =>
      count === '1'
        ? '1 cell is written like Name <address>: only the address is used.'
        : `${count} cells are written like Name <address>: only the address is used.`,
    several: (count: string) =>
      count === '1'
        ? '1 cell has several addresses: the first one is used.'
        : `${count} cells have several addresses: the first one is used.`,
    again: (count: string) =>
      count === '1'
        ? '1 address occurs again, and is verified once.'
        : `${count} addresses occur again, and are verified once.`,
    emptyCells: (count: string) =>
      count === '1'
        ? '1 row has no address: it stays in the list, and costs nothing.'
        : `${count} rows have no address: they stay in the list, and cost nothing.`,
    headerRow: 'Column names are in row',
    openList: 'This list is open: upload or cancel it first, then drop the next file.',
  },
};
