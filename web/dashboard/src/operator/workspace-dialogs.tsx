import { Checkbox, Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Capability, capabilityNames } from '../shared/capability-names.js'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { DialogForm, type DialogFormProps } from '../shared/form.js'
import { useReturnedFocus } from '../shared/use-returned-focus.js'
import { type OperatedWorkspace, useGrantCredit, useUpdateWorkspace } from './workspace-queries.js'

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
      {(errorOf) => (
        <>
          <TextInput
            name="amount"
            error={errorOf('amount')}
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
            error={errorOf('reason')}
            label="Reason"
            description="For the audit log, which Owners and Admins of the workspace read."
            maxLength={200}
            pattern=".*\S.*"
            required
            autoComplete="off"
          />
        </>
      )}
    </WorkspaceDialog>
  )
}

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
      {(errorOf) =>
        fields.map(({ name, label }, index) => (
          <NumberInput
            key={name}
            name={name}
            error={errorOf(name)}
            label={label}
            description="0 for no limit."
            defaultValue={workspace[name]}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            required
            {...(index === 0 && { 'data-autofocus': true })}
          />
        ))
      }
    </WorkspaceDialog>
  )
}

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
