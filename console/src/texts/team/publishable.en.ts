export const publishableEn = {
  publishable: {
    html: 'HTML of a form',
    wait: 'data-rcpt-wait lets the form wait for the verdict, for a second here: it may be sent with Enter before the input is left.',
    guide: 'All attributes are in the recipe docs/recipes/signup-form.md of Rcpt.',
    docs: 'Publishable keys in the API documentation',
    tryOut: 'Try it out',
    tryHint: 'Shows what the widget would do. It verifies with the key of this session.',
    tryEmail: 'Email address of a visitor',
    test: 'Verify',
    isSent: 'The form is sent.',
    isRefused: 'The form is not sent:',
    undeliverable: 'This address cannot receive email. Please check it.',
    rejected: 'Please use another email address.',
    suggestion: (address: string) => `Did you mean ${address}?`,
  },
  requestDetails: {
    title: 'Failed request',
    open: 'Show details',
    about: 'What this error means, and what to do',
    key: 'Key',
    deletedKey: 'a deleted key',
  },
};
