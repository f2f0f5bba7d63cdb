import { Examples } from './examples';
import { VerdictView } from './verdict-view';

type Props = React.ComponentProps<typeof VerdictView> & { refresh: boolean };

/** The verdict of the page, and how a program asks for it. */
export function VerdictPart({ refresh, ...shown }: Props) {
  return (
    <>
      <VerdictView {...shown} />
      <Examples verdict={shown.verdict} refresh={refresh} />
    </>
  );
}
