import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from './copy-field.js'
import { Dialog, type DialogProps } from './dialog.js'

interface ShownOnceDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
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
}

/** Asks a question, and then shows a secret that cannot be read again. */
export const ShownOnceDialog = ({ name, value, hint, next, children, ...dialog }: ShownOnceDialogProps) => (
  // A click beside the dialog must not close it, because the value is shown only once.
  <Dialog {...dialog} closeOnClickOutside={value === undefined}>
    {value === undefined ? (
      children
    ) : (
      <Stack>
        <Text>Copy {name} now. It is shown only once and cannot be read again.</Text>
        <CopyField name={name} value={value} takesFocus />
        {hint !== undefined && <Text>{hint}</Text>}
        {next}
        <Group justify="flex-end">
          <Button onClick={dialog.onClose}>Done</Button>
        </Group>
      </Stack>
    )}
  </Dialog>
)
