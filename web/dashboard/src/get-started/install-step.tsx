import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { InstallProgress, useInstallOwnModel } from '../models/install-model.js'
import type { InstallableModel } from '../models/model-queries.js'
import { languagesOf, sizeOf } from '../models/model-words.js'
import { PageAnchor } from '../shared/links.js'
import { ProblemAlert } from '../shared/problem-alert.js'

/** Installs the recommended model with one click, which accepts its license, and shows the progress. */
export const InstallStep = ({ model }: { readonly model: InstallableModel }) => {
  const install = useInstallOwnModel()
  const { name, display_name, languages, size_bytes, license, license_source, license_lineage } = model
  return (
    <Stack gap="xs">
      <Text size="sm">
        {display_name}, {languagesOf(languages)}. {sizeOf(size_bytes)}. License:{' '}
        <Anchor href={license_source} target="_blank" rel="noreferrer" inherit underline="always">
          {license ?? 'see its page'}
        </Anchor>
        {license_lineage !== null && `, made from: ${license_lineage}`}
      </Text>
      {install.isPending && <InstallProgress installation={install} model={model} />}
      <ProblemAlert error={install.error} />
      <Group gap="sm">
        <Button size="xs" loading={install.isPending} onClick={() => install.mutate(name)}>
          Accept the license and install
        </Button>
        <PageAnchor to="/operator/models" size="xs">
          Choose another
        </PageAnchor>
      </Group>
    </Stack>
  )
}
