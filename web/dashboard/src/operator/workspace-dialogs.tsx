import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Capability, capabilityNames } from '../shared/capability-names.js'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { FormDialog } from '../shared/form.js'
import { type OperatedWorkspace, useGrantCredit, useUpdateWorkspace } from './workspace-queries.js'

interface DialogProps {
  readonly workspace: OperatedWorkspace
  onClose(): void
}

/** Creates an id, because pages over HTTP have no `crypto.randomUUID`. */
const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Grants credit once, even if the form is sent several times while it is open. */
export const GrantDialog = ({ workspace, onClose }: DialogProps) => {
  const [id] = useState(randomId)
  const grant = useGrantCredit()
  return (
    <FormDialog
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
      {(field) => (
        <>
          <TextInput
            {...field('amount')}
            label="Amount"
            description="In credits, such as 50 or 12.40."
            inputMode="decimal"
            pattern="\s*\d{1,9}(\.\d{1,9})?\s*"
            title="A number such as 50 or 12.40"
            required
            data-autofocus
          />
          <TextInput
            {...field('reason')}
            label="Reason"
            description="For the audit log, which Owners and Admins of the workspace read."
            maxLength={200}
            pattern=".*\S.*"
            required
          />
        </>
      )}
    </FormDialog>
  )
}

const fields = [
  { name: 'max_concurrent_sessions', label: 'Conversations at once' },
  { name: 'max_concurrent_streams', label: 'Speech streams at once' },
] as const

/** Changes how much a workspace may have at once. */
export const LimitsDialog = ({ workspace, onClose }: DialogProps) => {
  const update = useUpdateWorkspace()
  return (
    <FormDialog
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
      {(field) =>
        fields.map(({ name, label }, index) => (
          <NumberInput
            key={name}
            {...field(name)}
            label={label}
            description="0 for no limit."
            defaultValue={workspace[name]}
            min={0}
            max={1_000_000}
            required
            {...(index === 0 && { 'data-autofocus': true })}
          />
        ))
      }
    </FormDialog>
  )
}

const descriptions: Readonly<Record<Capability, string>> = {
  agents: 'Agents, their conversations and what they remember.',
  stt: 'Recognition of speech while it is spoken, by the API.',
  tts: 'Speech from text, and transcription of recordings, by the API and in the dashboard.',
}

/** Changes what a workspace may use. */
export const CapabilitiesDialog = ({ workspace, onClose }: DialogProps) => {
  const update = useUpdateWorkspace()
  const [chosen, setChosen] = useState<string[]>(workspace.capabilities)
  return (
    <FormDialog
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
    </FormDialog>
  )
}

/** Asks before a workspace is suspended, or served again. */
export const SuspendDialog = ({ workspace: { id, name, suspended }, onClose }: DialogProps) => {
  const update = useUpdateWorkspace()
  return (
    <ConfirmDialog
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
