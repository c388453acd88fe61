import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from './copy-field.js'

export interface ShownOnceDialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size'> {
  /** The name of the secret, in words that follow "Copy". */
  readonly name: string
  /** Undefined until the secret is created. */
  readonly value: string | undefined
  /** Advice about its use. */
  readonly hint?: ReactNode
  /** Shown below it, such as a command that uses it. */
  readonly next?: ReactNode
  /** The form that creates it. */
  readonly children: ReactNode
  onClose(): void
}

/** Asks a question, and then shows a secret that cannot be read again. */
export const ShownOnceDialog = ({ name, value, hint, next, children, ...modal }: ShownOnceDialogProps) => (
  // A click beside the dialog must not close it, because the value is shown only once.
  <Modal {...modal} closeOnClickOutside={value === undefined}>
    {value === undefined ? (
      children
    ) : (
      <Stack>
        <Text size="sm">Copy {name} now. It is shown only once and cannot be read again.</Text>
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
