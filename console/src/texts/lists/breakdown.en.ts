export const breakdownEn = {
  breakdown: {
    title: 'By domain and provider',
    by: 'Group by',
    groups: { domain: 'Domain', provider: 'Provider' },
    none: { domain: 'No domain', provider: 'Not known' },
    other: 'All others',
    empty: 'No row has a verdict yet.',
    sums: 'Rows with a verdict, including duplicates.',
  },
};
