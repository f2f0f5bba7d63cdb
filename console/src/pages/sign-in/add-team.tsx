import { addTeam } from '../../api/session';
import { useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { KeyForm } from './key-form';

/** Asks for a key of a further team, and shows that team. */
export function AddTeam({ onClose }: { onClose: () => void }) {
  const t = useTexts(teamEn);
  const me = useMe();
  if (me === null) return null;
  return (
    <Dialog title={t.teams.add} onClose={onClose}>
      <p>{t.teams.addIntro}</p>
      <KeyForm
        label={t.signIn.key}
        submit={t.teams.addSubmit}
        refuse={({ team }) => (team.id === me.team.id ? t.teams.isShown(team.name) : null)}
        onKey={(key, { team }) => {
          onClose();
          addTeam(key, team.id, me.team);
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
