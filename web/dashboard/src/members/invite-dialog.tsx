import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import type { Role } from '../api/account.js'
import { CopyField } from '../shared/copy-field.js'
import { FormActions } from '../shared/form-actions.js'
import { invitationLink } from './invitation-link.js'
import { useInvite } from './member-queries.js'
import { useRoleChoices } from './role-field.js'

export interface InviteDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks whom to invite, and shows the link of the invitation. */
export const InviteDialog = ({ opened, onClose }: InviteDialogProps) => {
  const invite = useInvite()
  const choices = useRoleChoices()
  const close = () => {
    onClose()
    invite.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    invite.mutate({ email: String(fields.get('email')), role: fields.get('role') as Role })
  }
  const { data: made } = invite
  return (
    <Modal opened={opened} onClose={close} title={made === undefined ? 'Invite a person' : 'Invited'} centered>
      {made === undefined ? (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              name="email"
              type="email"
              label="E-mail"
              required
              withAsterisk={false}
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
            <FormActions label="Invite" mutation={invite} onCancel={close} />
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">
            {made.email} gets this link by e-mail if the operator has set up a mail server. You can also send it
            yourself. It is valid for seven days.
          </Text>
          <CopyField name="the link" value={invitationLink(made.id)} takesFocus />
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
