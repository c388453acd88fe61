import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useReturnedFocus } from '../shared/use-returned-focus.js'
import { InstallProgress, useInstallOwnModel } from './install-model.js'
import type { InstallableModel } from './model-queries.js'
import { sizeOf } from './model-words.js'

export interface InstallDialogProps {
  readonly model: InstallableModel
  onClose(): void
}

/** Shows the license, and installs the model when the operator accepts it. Closing the dialog stops the installation. */
export const InstallDialog = ({ model, onClose }: InstallDialogProps) => {
  useReturnedFocus(true)
  const install = useInstallOwnModel()
  const { name, display_name, license, license_source, license_lineage, size_bytes } = model
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={!install.isPending} title={`Install ${display_name}`}>
      <Stack>
        <Text size="sm">
          {sizeOf(size_bytes)}. License:{' '}
          <Anchor href={license_source} target="_blank" rel="noreferrer">
            {license ?? 'see its page'}
          </Anchor>
          .
        </Text>
        {license_lineage !== null && (
          <Text size="sm" c="dimmed">
            Made from: {license_lineage}
          </Text>
        )}
        {install.isPending && <InstallProgress installation={install} model={model} />}
        <ProblemAlert error={install.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {install.isPending ? 'Stop' : 'Cancel'}
          </Button>
          <Button loading={install.isPending} onClick={() => install.mutate(name, { onSuccess: onClose })}>
            Accept and install
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
