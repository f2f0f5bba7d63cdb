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
  },
};
