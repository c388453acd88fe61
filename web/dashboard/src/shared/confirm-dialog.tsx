import { Button, type ButtonProps, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog, DialogButton } from './dialog.js'
import { DialogButtons } from './form.js'
import { ProblemAlert } from './problem-alert.js'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** On the button that does it. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onConfirm(): void
  onClose(): void
}

/** Asks before something is done that cannot be undone. */
export const ConfirmDialog = ({ title, children, label, mutation, onConfirm, onClose }: ConfirmDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Stack>
      <Text component="div">{children}</Text>
      <ProblemAlert error={mutation.error} />
      <DialogButtons onCancel={onClose} cancelHasFocus>
        <Button color="red" loading={mutation.isPending} onClick={onConfirm}>
          {label}
        </Button>
      </DialogButtons>
    </Stack>
  </Dialog>
)

interface ConfirmButtonProps<Variables> extends Omit<ButtonProps, 'children'> {
  /** On the button that asks. */
  readonly label: string
  /** The name of that button for screen readers, where its label is not enough. */
  readonly name?: string
  readonly title: string
  readonly children: ReactNode
  /** On the button that does it. */
  readonly confirm: string
  readonly mutation: ConfirmDialogProps['mutation'] & {
    mutate(variables: Variables, options: { onSuccess(): void }): void
    reset(): void
  }
  readonly variables: NoInfer<Variables>
  /** Called when it is done, in place of closing the dialog. */
  onDone?(): void
}

/** A button that does something which cannot be undone, after a question. */
export const ConfirmButton = <Variables,>(props: ConfirmButtonProps<Variables>) => {
  const { title, children, confirm, mutation, variables, onDone, ...button } = props
  return (
    <DialogButton variant="subtle" color="red" {...button}>
      {(close) => (
        <ConfirmDialog
          title={title}
          label={confirm}
          mutation={mutation}
          onClose={() => {
            close()
            mutation.reset()
          }}
          onConfirm={() => mutation.mutate(variables, { onSuccess: onDone ?? close })}
        >
          {children}
        </ConfirmDialog>
      )}
    </DialogButton>
  )
}
