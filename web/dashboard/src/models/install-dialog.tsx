import { Button, Stack, Text } from '@mantine/core'
import { Dialog } from '../shared/dialog.js'
import { DialogButtons } from '../shared/form.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { InstallProgress, LicenseLink, useInstallOwnModel } from './install-model.js'
import type { InstallableModel } from './model-queries.js'
import { sizeOf } from './model-words.js'

interface InstallDialogProps {
  readonly model: InstallableModel
  onClose(): void
}

/** Shows the license, and installs the model when the operator accepts it. Closing the dialog stops the installation. */
export const InstallDialog = ({ model, onClose }: InstallDialogProps) => {
  const install = useInstallOwnModel()
  const { name, display_name, license, license_source, license_lineage, size_bytes } = model
  return (
    <Dialog onClose={onClose} closeOnClickOutside={!install.isPending} title={`Install ${display_name}`}>
      <Stack>
        <Text>
          {sizeOf(size_bytes)}. License: <LicenseLink license={license} source={license_source} />.
        </Text>
        {license_lineage !== null && <Text c="dimmed">Made from: {license_lineage}</Text>}
        {install.isPending && <InstallProgress installation={install} model={model} />}
        <ProblemAlert error={install.error} />
        <DialogButtons cancelLabel={install.isPending ? 'Stop' : 'Cancel'} onCancel={onClose}>
          <Button loading={install.isPending} onClick={() => install.mutate(name, { onSuccess: onClose })}>
            Accept and install
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
