import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { signOut, takeFragment } from './api/session';
import { inviteToken, offeredKey, signInToken } from './pages/sign-in/link-token';
import { preloadPages, router } from './router';
import './styles/base.css';
import './theme';

/** @returns whether the page of the link must be shown. */
function takeLink(): boolean {
  const { invite, signIn, otherKey } = takeFragment();
  inviteToken.put(invite);
  signInToken.put(signIn);
  offeredKey.put(otherKey);
  if (signIn !== null) signOut();
  return invite !== null || signIn !== null || otherKey !== null;
}

takeLink();
// A link that was opened in a tab where the console runs already.
addEventListener('hashchange', () => {
  if (takeLink()) location.reload();
});

preloadPages();

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
