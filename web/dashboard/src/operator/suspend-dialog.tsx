import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type OperatedWorkspace, useUpdateWorkspace } from './workspace-queries.js'

export interface SuspendDialogProps {
  readonly workspace: OperatedWorkspace
  onClose(): void
}

/** Asks before a workspace is suspended, or served again. */
export const SuspendDialog = ({ workspace: { id, name, suspended }, onClose }: SuspendDialogProps) => {
  const update = useUpdateWorkspace()
  return (
    <ConfirmDialog
      opened
      title={suspended ? `Resume “${name}”?` : `Suspend “${name}”?`}
      label={suspended ? 'Resume it' : 'Suspend it'}
      mutation={update}
      onClose={onClose}
      onConfirm={() =>
        update.mutate(
          { params: { path: { workspaceId: id } }, body: { suspended: !suspended } },
          { onSuccess: onClose },
        )
      }
    >
      {suspended
        ? 'Its keys and its members are served again at once.'
        : 'Requests of its keys and its members are refused at once, and its streams and conversations end.'}
    </ConfirmDialog>
  )
}
