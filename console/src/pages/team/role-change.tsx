import { api, type Role } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

/** A member whose role has been changed. */
export interface ChangedRole {
  id: string;
  email: string;
  from: Role;
  to: Role;
}

export const useRoleChange = () =>
  useApiMutation(
    ({ id, role }: { id: string; role: Role }) =>
      api.PATCH('/v1/team/members/{id}', { params: { path: { id } }, body: { role } }),
    [['me']],
  );

/** Says so, and takes it back. Who has handed the team over cannot. */
export function RoleChanged({
  changed,
  onChange,
}: {
  changed: ChangedRole | null;
  onChange: (changed: ChangedRole | null) => void;
}) {
  const t = useTexts(teamEn);
  const undo = useRoleChange();
  return (
    <>
      {/* A live region announces what is put into it, so it is always there. */}
      <div role="status">
        {changed !== null && (
          <p className={styles.row}>
            {t.team.roleChanged(changed.email, t.common.role[changed.to])}
            {changed.to !== 'owner' && (
              <Button
                small
                disabled={undo.isPending}
                onClick={() =>
                  undo.mutate({ id: changed.id, role: changed.from }, { onSuccess: () => onChange(null) })
                }
              >
                {t.team.undo}
              </Button>
            )}
          </p>
        )}
      </div>
      <ErrorNote error={undo.error} />
    </>
  );
}
