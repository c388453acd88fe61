import { Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import { type Capability, capabilityNames } from '../shared/capability-names.js'
import { WorkspaceDialog } from './workspace-dialog.js'
import { type OperatedWorkspace, useUpdateWorkspace } from './workspace-queries.js'

const descriptions: Readonly<Record<Capability, string>> = {
  agents: 'Agents, their conversations and what they remember.',
  tts: 'Speech from text, and transcription, by the API and in the dashboard.',
}

export interface CapabilitiesDialogProps {
  readonly workspace: OperatedWorkspace
  onClose(): void
}

/** Changes what a workspace may use. */
export const CapabilitiesDialog = ({ workspace, onClose }: CapabilitiesDialogProps) => {
  const update = useUpdateWorkspace()
  const [chosen, setChosen] = useState<string[]>(workspace.capabilities)
  return (
    <WorkspaceDialog
      title={`Capabilities of “${workspace.name}”`}
      label="Save"
      mutation={update}
      onClose={onClose}
      onSubmit={() =>
        update.mutate(
          { params: { path: { workspaceId: workspace.id } }, body: { capabilities: chosen as Capability[] } },
          { onSuccess: onClose },
        )
      }
    >
      <Checkbox.Group
        label="The workspace may use"
        description="Requests for anything else are refused at once. Open streams and conversations go on to their end."
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap="sm" mt="sm">
          {Object.entries(capabilityNames).map(([capability, name]) => (
            <Checkbox
              key={capability}
              value={capability}
              label={name}
              description={descriptions[capability as Capability]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </WorkspaceDialog>
  )
}
