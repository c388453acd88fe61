import { Button, CopyButton, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { UserPlus } from 'lucide-react'
import type { Invitation, Member, Role } from '../api/account.js'
import { grantableRoles, isAtLeast, roleNames } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { CopyField, takeFocus } from '../shared/copy-field.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Dialog, DialogButton } from '../shared/dialog.js'
import { DialogForm } from '../shared/form.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Section } from '../shared/section.js'
import {
  useCancelInvitation,
  useChangeRole,
  useInvitations,
  useInvite,
  useMembers,
  useRemoveMember,
  useSendsMail,
} from './member-queries.js'

/** The roles that this person may give, as the choices of a field. */
const useRoleChoices = () => {
  const { role } = useWorkspace()
  return grantableRoles(role).map((value) => ({ value, label: roleNames[value] }))
}

/** The role of a member, which changes as soon as another one is chosen. */
const RoleField = ({ member }: { readonly member: Member }) => {
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

/** The members of the workspace, with their roles. */
const MemberTable = ({ members }: { readonly members: readonly Member[] }) => {
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

/** The address at which a person accepts an invitation, for an inviter to send where no mails are sent. */
const invitationLink = (id: string): string => `${location.origin}/invitation?${new URLSearchParams({ id })}`

const invitationColumns: readonly Column<Invitation>[] = [
  { header: 'E-mail', cell: ({ email }) => <Text>{email}</Text> },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} />, wideOnly: true },
]

/** The pending invitations; nothing without any. */
const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => {
  const cancel = useCancelInvitation()
  const sendsMail = useSendsMail()
  if (invitations.length === 0) return null
  return (
    <Section title="Invitations">
      <ProblemAlert error={cancel.error} />
      <DataTable
        label="Invitations"
        rows={invitations}
        rowKey={({ id }) => id}
        columns={invitationColumns}
        actions={({ id, email }) => (
          <>
            {!sendsMail && (
              <CopyButton value={invitationLink(id)}>
                {({ copied, copy }) => (
                  <Button {...rowButton} onClick={copy} aria-label={`Copy the link for ${email}`}>
                    <span aria-live="polite">{copied ? 'Copied' : 'Copy link'}</span>
                  </Button>
                )}
              </CopyButton>
            )}
            <Button
              {...rowButton}
              color="red"
              aria-label={`Withdraw the invitation of ${email}`}
              loading={cancel.isPending && cancel.variables === id}
              onClick={() => cancel.mutate(id)}
            >
              Withdraw
            </Button>
          </>
        )}
      />
    </Section>
  )
}

/** Asks whom to invite. The link of the invitation is in a mail, or is shown where no mails are sent. */
const InviteDialog = ({ onClose }: { onClose(): void }) => {
  const invite = useInvite()
  const choices = useRoleChoices()
  const sendsMail = useSendsMail()
  const { data: made } = invite
  return (
    <Dialog onClose={onClose} title={made === undefined ? 'Invite a person' : 'Invited'}>
      {made === undefined ? (
        <DialogForm
          label="Invite"
          mutation={invite}
          onSubmit={({ email = '', role }) => invite.mutate({ email, role: role as Role })}
          onCancel={onClose}
        >
          {(field) => (
            <>
              <TextInput {...field('email')} type="email" label="E-mail" required maxLength={254} data-autofocus />
              <Select
                name="role"
                label="Role"
                description="Owners and Admins manage API keys and members. Owners manage Owners too."
                data={choices}
                defaultValue="member"
              />
            </>
          )}
        </DialogForm>
      ) : (
        <Stack>
          <Text>
            {sendsMail
              ? `A mail with a link is on its way to ${made.email}. The link is valid for seven days.`
              : `Send this link to ${made.email}. It is valid for seven days.`}
          </Text>
          {!sendsMail && <CopyField name="the link" value={invitationLink(made.id)} takesFocus />}
          <Group justify="flex-end">
            <Button onClick={onClose} {...(sendsMail && { ref: takeFocus })}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

export const MembersPage = () => {
  const { role } = useWorkspace()
  const mayManage = isAtLeast(role, 'admin')
  const members = useMembers()
  const invitations = useInvitations(mayManage)
  return (
    <Page
      title="Members"
      description={mayManage ? undefined : 'Owners and Admins invite members and change their roles.'}
      actions={
        mayManage && (
          <DialogButton leftSection={<UserPlus />} label="Invite">
            {(close) => <InviteDialog onClose={close} />}
          </DialogButton>
        )
      }
    >
      <Loaded query={members}>{({ members: listed }) => <MemberTable members={listed} />}</Loaded>
      {mayManage && <Loaded query={invitations}>{(pending) => <InvitationTable invitations={pending} />}</Loaded>}
    </Page>
  )
}
