import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { useDeleteConversation } from './conversation-queries.js'

/** Deletes a conversation after a question, and leads back to the list. */
export const DeleteButton = ({ sessionId }: { readonly sessionId: string }) => {
  const remove = useDeleteConversation(sessionId)
  const [isAsking, { open, close }] = useDisclosure(false, { onClose: remove.reset })
  const navigate = useNavigate()
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Delete the conversation?"
        label="Delete it"
        mutation={remove}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate({ to: '/conversations' }) })}
      >
        Its record, messages and recording are removed for good. A live conversation is ended first.
      </ConfirmDialog>
    </>
  )
}
