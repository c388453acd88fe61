import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from './copy-field.js'

export interface ShownOnceDialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size'> {
  /** What was made, in words that follow "Copy". */
  readonly name: string
  /** Undefined until it is made. */
  readonly value: string | undefined
  /** What to do with it. */
  readonly hint?: ReactNode
  /** Shown below it, such as a command that uses it. */
  readonly next?: ReactNode
  /** Asks for what is needed to make it. */
  readonly children: ReactNode
  onClose(): void
}

/** Asks a question, and then shows a secret that cannot be read again. */
export const ShownOnceDialog = ({ name, value, hint, next, children, ...modal }: ShownOnceDialogProps) => (
  // A click beside the dialog must not take away the value that is shown once.
  <Modal {...modal} closeOnClickOutside={value === undefined}>
    {value === undefined ? (
      children
    ) : (
      <Stack>
        <Text size="sm">Copy {name} now. It is shown this once and cannot be read again.</Text>
        <CopyField name={name} value={value} takesFocus />
        {hint !== undefined && <Text size="sm">{hint}</Text>}
        {next}
        <Group justify="flex-end">
          <Button onClick={modal.onClose}>Done</Button>
        </Group>
      </Stack>
    )}
  </Modal>
)
