import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PhoneOff } from 'lucide-react'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { useEndConversation } from './conversation-queries.js'

/** Ends a live conversation after a question. */
export const EndButton = ({ sessionId }: { readonly sessionId: string }) => {
  const end = useEndConversation(sessionId)
  const [isAsking, { open, close }] = useDisclosure(false, { onClose: end.reset })
  return (
    <>
      <Button color="red" variant="light" leftSection={<PhoneOff />} onClick={open}>
        End
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="End the conversation?"
        label="End it"
        mutation={end}
        onClose={close}
        onConfirm={() => end.mutate(undefined, { onSuccess: close })}
      >
        The user is disconnected at once. The record stays, and the audit log says who ended it.
      </ConfirmDialog>
    </>
  )
}
