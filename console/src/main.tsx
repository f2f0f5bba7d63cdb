import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { meQuery, queryClient } from './api/queries';
import {
  currentKey,
  isEmpty,
  joinSession,
  onSessionEnd,
  onSwitch,
  signIn,
  takeFragment,
} from './api/session';
import { SignInPage } from './layout/layout';
import {
  authorizeRequest,
  confirmToken,
  inviteToken,
  offeredKey,
  refusal,
  signInToken,
} from './pages/links/link-token';
import { sentFile } from './pages/lists/new-list/sent-file';
import { draft, pastedList, shownVerdict } from './pages/verify/draft';
import { verdictHistory } from './pages/verify/history';
import { leaveDetails, preloadPages, router } from './router';
import { firstTexts } from './texts/texts';
import { notice } from './ui/notice';
import './styles/base.css';
import './theme';

onSessionEnd(() => {
  queryClient.clear();
  notice.endUndo();
  verdictHistory.clear();
  draft.set(null);
  shownVerdict.set(null);
  pastedList.set(null);
  sentFile.set(null);
  offeredKey.set(null);
});

onSwitch((change, teams) => {
  queryClient.clear();
  notice.endUndo();
  shownVerdict.set(null);
  pastedList.set(null);
  sentFile.set(null);
  if (change === 'mode') return;
  draft.set(null);
  offeredKey.set(null);
  if (change === 'left') verdictHistory.keepTeams(teams.map(({ id }) => id));
  leaveDetails();
});

/** A reload has the address of the verdict that is shown. */
function showAddress(email: string): void {
  draft.set(email);
  const shown = shownVerdict.get();
  if (shown !== null && (JSON.parse(shown) as { email: string }).email !== email) shownVerdict.set(null);
}

function takeLink(): void {
  const { confirm, invite, signIn: link, authorize, refused, otherKey, email } = takeFragment();
  if (confirm !== null) confirmToken.set(confirm);
  if (invite !== null) inviteToken.set(invite);
  if (link !== null) signInToken.set(link);
  if (authorize !== null) authorizeRequest.set(authorize);
  if (refused !== null) refusal.set(refused);
  if (otherKey !== null) offeredKey.set(otherKey);
  if (email !== null) showAddress(email.slice(0, 1_000));
}

/**
 * The link of the first start signs in without a question. No stranger can make such a link: its key is that of the
 * owner of the first team, who runs the installation.
 */
async function useOperatorLink(): Promise<void> {
  const offered = offeredKey.get();
  if (offered === currentKey()) offeredKey.set(null);
  if (offered === null || !isEmpty()) return;
  const me = await queryClient.fetchQuery(meQuery(offered)).catch(() => null);
  if (me?.operator !== true || !isEmpty()) return;
  signIn(offered);
  offeredKey.set(null);
}

takeLink();
// A link that was opened in a tab where the console runs already.
addEventListener('hashchange', () => {
  takeLink();
  void useOperatorLink();
});

preloadPages();
// Beside the script of the page, and not after it.
const key = currentKey();
if (key !== null) void queryClient.prefetchQuery(meQuery(key));
else void SignInPage.preload?.()?.catch(() => undefined);

const root = document.getElementById('root');
await Promise.all([firstTexts(), joinSession().then(useOperatorLink)]);
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
