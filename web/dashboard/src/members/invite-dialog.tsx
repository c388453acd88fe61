import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Role } from '../api/account.js'
import { CopyField, takeFocus } from '../shared/copy-field.js'
import { DialogForm } from '../shared/form.js'
import { invitationLink } from './invitation-table.js'
import { useInvite, useSendsMail } from './member-queries.js'
import { useRoleChoices } from './role-field.js'

export interface InviteDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks whom to invite. The link of the invitation is in a mail, or is shown where no mails are sent. */
export const InviteDialog = ({ opened, onClose }: InviteDialogProps) => {
  const invite = useInvite()
  const choices = useRoleChoices()
  const sendsMail = useSendsMail()
  const close = () => {
    onClose()
    invite.reset()
  }
  const { data: made } = invite
  return (
    <Modal opened={opened} onClose={close} title={made === undefined ? 'Invite a person' : 'Invited'}>
      {made === undefined ? (
        <DialogForm
          label="Invite"
          mutation={invite}
          onSubmit={({ email = '', role }) => invite.mutate({ email, role: role as Role })}
          onCancel={close}
        >
          {(errorOf) => (
            <>
              <TextInput
                name="email"
                error={errorOf('email')}
                type="email"
                label="E-mail"
                required
                maxLength={254}
                autoComplete="off"
                data-autofocus
              />
              <Select
                name="role"
                label="Role"
                description="Owners and Admins manage API keys and members. Owners manage Owners too."
                data={choices}
                defaultValue="member"
                allowDeselect={false}
              />
            </>
          )}
        </DialogForm>
      ) : (
        <Stack>
          <Text size="sm">
            {sendsMail
              ? `A mail with a link is on its way to ${made.email}. The link is valid for seven days.`
              : `Send this link to ${made.email}. It is valid for seven days.`}
          </Text>
          {!sendsMail && <CopyField name="the link" value={invitationLink(made.id)} takesFocus />}
          <Group justify="flex-end">
            <Button onClick={close} {...(sendsMail && { ref: takeFocus })}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
