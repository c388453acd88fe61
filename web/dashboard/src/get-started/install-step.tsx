import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { type InstallableModel, useInstallModel } from '../models/model-queries.js'
import { languagesOf, percentOf, sizeOf, stepOf } from '../models/model-words.js'
import { PageAnchor } from '../shared/links.js'
import { ProblemAlert } from '../shared/problem-alert.js'

/** Installs the recommended model with one click, which accepts its license, and shows the progress. */
export const InstallStep = ({ model }: { readonly model: InstallableModel }) => {
  const install = useInstallModel()
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
      {install.isPending && (
        <Stack gap={4}>
          <Progress value={percentOf(install.event)} animated aria-label="Download" />
          <Text size="xs" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
            {stepOf(install.event)}
          </Text>
        </Stack>
      )}
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
