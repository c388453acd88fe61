import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Role } from '../api/account.js'
import { CopyField, takeFocus } from '../shared/copy-field.js'
import { Dialog } from '../shared/dialog.js'
import { DialogForm } from '../shared/form.js'
import { invitationLink } from './invitation-table.js'
import { useInvite, useSendsMail } from './member-queries.js'
import { useRoleChoices } from './role-field.js'

/** Asks whom to invite. The link of the invitation is in a mail, or is shown where no mails are sent. */
export const InviteDialog = ({ onClose }: { onClose(): void }) => {
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
