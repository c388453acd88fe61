import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../api/account.js'
import { grantableRoles, roleNames } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { useRemoveMember } from './member-queries.js'
import { RoleField } from './role-field.js'

/** The members of the workspace, with their roles. */
export const MemberTable = ({ members }: { readonly members: readonly Member[] }) => {
  const { person } = useSignedIn()
  const { role: ownRole } = useWorkspace()
  const [leaving, setLeaving] = useState<Member>()
  const remove = useRemoveMember()
  const close = () => {
    setLeaving(undefined)
    remove.reset()
  }
  const owners = members.filter(({ role }) => role === 'owner').length
  // The last Owner cannot be removed.
  const mayChange = ({ role }: Member) => grantableRoles(ownRole).includes(role) && !(role === 'owner' && owners === 1)

  const columns: readonly Column<Member>[] = [
    {
      header: 'Name',
      cell: ({ user, userId }) => (
        <>
          <Text size="sm" fw={550}>
            {user.name}
            {userId === person.id && ' (you)'}
          </Text>
          <Text size="xs" c="dimmed">
            {user.email}
          </Text>
        </>
      ),
    },
    {
      header: 'Role',
      cell: (member) => (mayChange(member) ? <RoleField member={member} /> : roleNames[member.role]),
    },
    { header: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} />, wideOnly: true },
  ]
  return (
    <>
      <DataTable
        label="Members"
        rows={members}
        rowKey={({ id }) => id}
        columns={columns}
        actions={(member) =>
          mayChange(member) &&
          member.userId !== person.id && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={`Remove ${member.user.name}`}
              onClick={() => setLeaving(member)}
            >
              Remove
            </Button>
          )
        }
      />
      <ConfirmDialog
        opened={leaving !== undefined}
        title={`Remove ${leaving?.user.name ?? ''}?`}
        label="Remove"
        mutation={remove}
        onClose={close}
        onConfirm={() => leaving !== undefined && remove.mutate(leaving.id, { onSuccess: close })}
      >
        The person loses access to this workspace at once. API keys and Agents stay.
      </ConfirmDialog>
    </>
  )
}
