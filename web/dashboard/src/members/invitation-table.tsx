import { Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import type { Invitation } from '../api/account.js'
import { roleNames } from '../session/roles.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useCancelInvitation, useSendsMail } from './member-queries.js'

/** The address at which a person accepts an invitation, for an inviter to send where no mails are sent. */
export const invitationLink = (id: string): string => `${location.origin}/invitation?${new URLSearchParams({ id })}`

const columns: readonly Column<Invitation>[] = [
  { header: 'E-mail', cell: ({ email }) => <Text size="sm">{email}</Text> },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} />, wideOnly: true },
]

/** The pending invitations; nothing without any. */
export const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => {
  const cancel = useCancelInvitation()
  const sendsMail = useSendsMail()
  if (invitations.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="invitations">
      <Title order={2} id="invitations">
        Invitations
      </Title>
      <ProblemAlert error={cancel.error} />
      <DataTable
        label="Invitations"
        rows={invitations}
        rowKey={({ id }) => id}
        columns={columns}
        actions={({ id, email }) => (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {!sendsMail && (
              <CopyButton value={invitationLink(id)} timeout={2_000}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="subtle" onClick={copy} aria-label={`Copy the link for ${email}`}>
                    <span aria-live="polite">{copied ? 'Copied' : 'Copy link'}</span>
                  </Button>
                )}
              </CopyButton>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={`Withdraw the invitation of ${email}`}
              loading={cancel.isPending && cancel.variables === id}
              onClick={() => cancel.mutate(id)}
            >
              Withdraw
            </Button>
          </Group>
        )}
      />
    </Stack>
  )
}
