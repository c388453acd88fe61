import type { Member } from '../api/account.js'
import { grantableRoles, roleNames } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { useRemoveMember } from './member-queries.js'
import { RoleField } from './role-field.js'

/** The members of the workspace, with their roles. */
export const MemberTable = ({ members }: { readonly members: readonly Member[] }) => {
  const { person } = useSignedIn()
  const { role: ownRole } = useWorkspace()
  const remove = useRemoveMember()
  const owners = members.filter(({ role }) => role === 'owner').length
  // The last Owner cannot be removed.
  const mayChange = ({ role }: Member) => grantableRoles(ownRole).includes(role) && !(role === 'owner' && owners === 1)

  const columns: readonly Column<Member>[] = [
    {
      header: 'Name',
      cell: ({ user, userId }) => (
        <RowTitle detail={user.email}>
          {user.name}
          {userId === person.id && ' (you)'}
        </RowTitle>
      ),
    },
    {
      header: 'Role',
      cell: (member) => (mayChange(member) ? <RoleField member={member} /> : roleNames[member.role]),
    },
    { header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} />, wideOnly: true },
  ]
  return (
    <DataTable
      label="Members"
      rows={members}
      rowKey={({ id }) => id}
      columns={columns}
      actions={(member) =>
        mayChange(member) &&
        member.userId !== person.id && (
          <ConfirmButton
            {...rowButton}
            label="Remove"
            name={`Remove ${member.user.name}`}
            title={`Remove ${member.user.name}?`}
            confirm="Remove"
            mutation={remove}
            variables={member.id}
          >
            The person loses access to this workspace at once. API keys and Agents stay.
          </ConfirmButton>
        )
      }
    />
  )
}
