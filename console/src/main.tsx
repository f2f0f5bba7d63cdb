import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { signOut, takeFragment } from './api/session';
import { inviteToken, signInToken } from './pages/sign-in/link-token';
import { router } from './router';
import './styles/base.css';
import './theme';

/** @returns whether the page of the link must be shown. */
function takeLink(): boolean {
  const { invite, signIn } = takeFragment();
  inviteToken.put(invite);
  signInToken.put(signIn);
  if (signIn !== null) signOut();
  return invite !== null || signIn !== null;
}

takeLink();
// A link that was opened in a tab where the console runs already.
addEventListener('hashchange', () => {
  if (takeLink()) location.reload();
});

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
