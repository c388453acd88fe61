import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemAlert } from './problem-alert.js'
import { useReturnedFocus } from './use-returned-focus.js'

export interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly children: ReactNode
  /** On the button that does it. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onConfirm(): void
  onClose(): void
}

/** Asks before something is done that cannot be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { opened, title, children, label, mutation, onConfirm, onClose } = props
  useReturnedFocus(opened)
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ProblemAlert error={mutation.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={mutation.isPending} onClick={onConfirm}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
