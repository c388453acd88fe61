import { NumberInput } from '@mantine/core'
import { WorkspaceDialog } from './workspace-dialog.js'
import { type OperatedWorkspace, useUpdateWorkspace } from './workspace-queries.js'

const fields = [
  { name: 'max_concurrent_sessions', label: 'Conversations at once' },
  { name: 'max_concurrent_streams', label: 'Speech streams at once' },
] as const

export interface LimitsDialogProps {
  readonly workspace: OperatedWorkspace
  onClose(): void
}

/** Changes how much a workspace may have at once. */
export const LimitsDialog = ({ workspace, onClose }: LimitsDialogProps) => {
  const update = useUpdateWorkspace()
  return (
    <WorkspaceDialog
      title={`Limits of “${workspace.name}”`}
      label="Save"
      mutation={update}
      onClose={onClose}
      onSubmit={(values) =>
        update.mutate(
          {
            params: { path: { workspaceId: workspace.id } },
            body: Object.fromEntries(fields.map(({ name }) => [name, Number(values[name])])),
          },
          { onSuccess: onClose },
        )
      }
    >
      {fields.map(({ name, label }, index) => (
        <NumberInput
          key={name}
          name={name}
          label={label}
          description="0 for no limit."
          defaultValue={workspace[name]}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          required
          {...(index === 0 && { 'data-autofocus': true })}
        />
      ))}
    </WorkspaceDialog>
  )
}
