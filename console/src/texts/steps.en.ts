export const stepsEn = {
  steps: {
    title: 'First steps',
    intro: (done: number, all: number) => `${done} of ${all} are done.`,
    done: 'Done',
    toDo: 'To do',
    hide: 'Hide the first steps',
    verify: { name: 'Verify an address', hint: 'Enter one in the field at the top of this page.' },
    port25: {
      name: 'Reach mail servers on port 25',
      hint: 'Many networks block this port. The checks of the installation try it.',
    },
    key: {
      name: 'Create an API key',
      hint: 'A live key for your program, other than the one of this session.',
    },
    webhook: { name: 'Add a webhook', hint: 'The service reports to it when a list has ended.' },
    form: {
      name: 'Verify in a form',
      hint: 'Create a publishable key: it may stand in the page that has the form.',
    },
  },
};
