// A form of React with a controlled input, for a browser.
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

function SignUp() {
  const [email, setEmail] = useState('');
  return h(
    'form',
    { action: '/joined', method: 'post' },
    h('label', { htmlFor: 'email' }, 'Email'),
    h('input', {
      id: 'email',
      name: 'email',
      type: 'email',
      'data-rcpt': '',
      value: email,
      onChange: (event) => setEmail(event.target.value),
    }),
    h('button', null, 'Join'),
    h('button', { type: 'button', onClick: () => setEmail('') }, 'Empty'),
    h('output', null, email),
  );
}

createRoot(document.querySelector('main')).render(h(SignUp));
