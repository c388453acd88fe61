import { Button, CopyButton, Text } from '@mantine/core'
import type { Invitation } from '../api/account.js'
import { roleNames } from '../session/roles.js'
import { type Column, DataTable, rowButton } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Section } from '../shared/section.js'
import { useCancelInvitation, useSendsMail } from './member-queries.js'

/** The address at which a person accepts an invitation, for an inviter to send where no mails are sent. */
export const invitationLink = (id: string): string => `${location.origin}/invitation?${new URLSearchParams({ id })}`

const columns: readonly Column<Invitation>[] = [
  { header: 'E-mail', cell: ({ email }) => <Text>{email}</Text> },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} />, wideOnly: true },
]

/** The pending invitations; nothing without any. */
export const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => {
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
        columns={columns}
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
