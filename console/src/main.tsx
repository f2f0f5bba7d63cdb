import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { takeFragment } from './api/session';
import { inviteToken } from './pages/sign-in/invite-token';
import { router } from './router';
import './styles/base.css';
import './theme';

inviteToken.put(takeFragment());

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
