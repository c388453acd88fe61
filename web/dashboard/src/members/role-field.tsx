import { Select, Stack } from '@mantine/core'
import type { Member, Role } from '../api/account.js'
import { grantableRoles, roleNames } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useChangeRole } from './member-queries.js'

/** The roles that this person may give, as the choices of a field. */
export const useRoleChoices = () => {
  const { role } = useWorkspace()
  return grantableRoles(role).map((value) => ({ value, label: roleNames[value] }))
}

/** The role of a member, which changes as soon as another one is chosen. */
export const RoleField = ({ member }: { readonly member: Member }) => {
  const change = useChangeRole()
  const choices = useRoleChoices()
  return (
    <Stack gap={4}>
      <Select
        aria-label={`Role of ${member.user.name}`}
        size="xs"
        w={110}
        data={choices}
        value={change.isPending ? change.variables.role : member.role}
        disabled={change.isPending}
        onChange={(role) => role !== null && change.mutate({ id: member.id, role: role as Role })}
      />
      <ProblemAlert error={change.error} />
    </Stack>
  )
}
