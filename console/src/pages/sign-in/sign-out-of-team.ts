import { leaveTeam } from '../../api/session';
import { allFiles, deleteFile } from '../lists/kept/kept-files';

/** Also deletes the files of the team that this browser keeps. The other teams of the session stay. */
export async function signOutOfTeam(team: string): Promise<void> {
  leaveTeam();
  for (const { id, scope } of await allFiles()) if (scope.startsWith(`${team} `)) await deleteFile(id);
}
