import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { WorkspaceDialog } from './workspace-dialog.js'
import { type OperatedWorkspace, useGrantCredit } from './workspace-queries.js'

/** Creates an id, because pages over HTTP have no `crypto.randomUUID`. */
const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

export interface GrantDialogProps {
  readonly workspace: OperatedWorkspace
  onClose(): void
}

/** Grants credit once, even if the form is sent several times while it is open. */
export const GrantDialog = ({ workspace, onClose }: GrantDialogProps) => {
  const [id] = useState(randomId)
  const grant = useGrantCredit()
  return (
    <WorkspaceDialog
      title={`Grant credit to “${workspace.name}”`}
      label="Grant"
      mutation={grant}
      onClose={onClose}
      onSubmit={({ amount = '', reason = '' }) =>
        grant.mutate(
          {
            params: { path: { workspaceId: workspace.id } },
            body: { id, amount: amount.trim(), reason: reason.trim() },
          },
          { onSuccess: onClose },
        )
      }
    >
      <TextInput
        name="amount"
        label="Amount"
        description="In credits, such as 50 or 12.40."
        inputMode="decimal"
        pattern="\s*\d{1,9}(\.\d{1,9})?\s*"
        title="A number such as 50 or 12.40"
        required
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="reason"
        label="Reason"
        description="For the audit log, which Owners and Admins of the workspace read."
        maxLength={200}
        pattern=".*\S.*"
        required
        autoComplete="off"
      />
    </WorkspaceDialog>
  )
}
