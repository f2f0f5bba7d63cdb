export const commandsEn = {
  commands: {
    title: 'Commands',
    field: 'A page, a list, a webhook, an action or an address',
    pages: 'Pages',
    address: 'Address',
    actions: 'Actions',
    none: 'Nothing has this name.',
    verify: 'Verify an address',
    verifyThis: (address: string) => `Verify ${address}`,
    newList: 'Verify a new list',
    newKey: 'Create a key',
    toTest: 'Switch to test mode',
    toLive: 'Switch to live mode',
  },
};
