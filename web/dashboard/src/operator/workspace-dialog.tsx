import { Modal } from '@mantine/core'
import { DialogForm, type DialogFormProps } from '../shared/dialog-form.js'
import { useReturnedFocus } from '../shared/use-returned-focus.js'

export interface WorkspaceDialogProps extends Omit<DialogFormProps, 'onCancel'> {
  readonly title: string
  onClose(): void
}

/** A form about one workspace. It is mounted while it is open. */
export const WorkspaceDialog = ({ title, onClose, ...form }: WorkspaceDialogProps) => {
  useReturnedFocus(true)
  return (
    <Modal opened onClose={onClose} title={title}>
      <DialogForm {...form} onCancel={onClose} />
    </Modal>
  )
}
