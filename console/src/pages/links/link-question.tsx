import { useTabValue } from '../../api/tab-value';
import css from '../sign-in/sign-in.module.css';
import { Authorize } from './authorize';
import { ConfirmAddress } from './confirm-address';
import { InviteQuestion } from './invite-question';
import { LinkSignIn } from './link-sign-in';
import {
  authorizeRequest,
  confirmToken,
  inviteToken,
  offeredKey,
  refusal,
  signInToken,
  type Question,
} from './link-token';
import { Refused } from './refused';
import { ReplaceSession } from './replace-session';

/** The page that a link opens. Nothing happens before a click: programs that check links may run scripts too. */
export function LinkQuestion({ question }: { question: Question }) {
  return <div className={css.page}>{PAGES[question]}</div>;
}

const PAGES = {
  confirm: <OfToken of={confirmToken} page={ConfirmAddress} />,
  'sign-in': <OfToken of={signInToken} page={LinkSignIn} />,
  key: <OfToken of={offeredKey} page={ReplaceSession} />,
  refused: <OfToken of={refusal} page={Refused} />,
  authorize: <OfToken of={authorizeRequest} page={Authorize} />,
  invite: <OfToken of={inviteToken} page={InviteQuestion} />,
};

/** Another link is another page: nothing that was entered for the first stays. */
function OfToken({
  of,
  page: Page,
}: {
  of: typeof inviteToken;
  page: (props: { token: string }) => React.ReactNode;
}) {
  const token = useTabValue(of);
  return token === null ? null : <Page key={token} token={token} />;
}
