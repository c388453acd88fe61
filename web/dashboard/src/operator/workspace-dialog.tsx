import { Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormActions } from '../shared/form-actions.js'
import { useReturnedFocus } from '../shared/use-returned-focus.js'

export interface WorkspaceDialogProps {
  readonly title: string
  /** On the button that does it. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  /** Called with the values of the fields, by their names. */
  onSubmit(values: Record<string, string>): void
  onClose(): void
  readonly children: ReactNode
}

/** A form about one workspace. It is mounted while it is open. */
export const WorkspaceDialog = ({ title, label, mutation, onSubmit, onClose, children }: WorkspaceDialogProps) => {
  useReturnedFocus(true)
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
        }}
      >
        <Stack>
          {children}
          <FormActions label={label} mutation={mutation} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
