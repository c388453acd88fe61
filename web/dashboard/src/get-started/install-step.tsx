import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchApi } from '../api/api.js'
import type { Problem } from '../api/problem.js'
import { type InstallableModel, useInstallModel } from '../models/model-queries.js'
import { languagesOf, percentOf, sizeOf, stepOf } from '../models/model-words.js'
import { PageAnchor } from '../shared/links.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { isAvailable } from '../voices/voice-choice.js'
import { listVoices } from '../voices/voice-queries.js'

/** Models are loaded one after the other, and a busy machine takes a while for one. */
const announceWithinMs = 120_000
const askEveryMs = 500

const notAnnounced: Problem = {
  code: 'unavailable',
  detail: 'The voice is installed, but does not speak yet. The command npx parlance models verify shows why.',
  retryable: true,
}

/** Resolves as soon as the voice of a model can speak. */
const awaitVoice = async (name: string): Promise<void> => {
  const deadlineMs = performance.now() + announceWithinMs
  while (performance.now() < deadlineMs) {
    const voices = await listVoices(fetchApi)
    if (voices.some((voice) => isAvailable(voice) && voice.variants.some(({ id }) => id === name))) return
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
  throw notAnnounced
}

/** Installs the recommended model with one click, which accepts its license, and shows the progress. */
export const InstallStep = ({ model }: { readonly model: InstallableModel }) => {
  const install = useInstallModel()
  const client = useQueryClient()
  const { name, kind, display_name, languages, size_bytes, license, license_source, license_lineage } = model
  const all = useMutation({
    async mutationFn() {
      await install.mutateAsync(name)
      if (kind === 'tts') await awaitVoice(name)
    },
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Stack gap="xs">
      <Text size="sm">
        {display_name}, {languagesOf(languages)}. {sizeOf(size_bytes)}. License:{' '}
        <Anchor href={license_source} target="_blank" rel="noreferrer" inherit underline="always">
          {license ?? 'see its page'}
        </Anchor>
        {license_lineage !== null && `, made from: ${license_lineage}`}
      </Text>
      {all.isPending && (
        <Stack gap={4}>
          <Progress value={percentOf(install.event)} animated aria-label="Download" />
          <Text size="xs" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
            {install.isSuccess ? 'Loading the voice' : stepOf(install.event)}
          </Text>
        </Stack>
      )}
      <ProblemAlert error={all.error} />
      <Group gap="sm">
        <Button size="xs" loading={all.isPending} onClick={() => all.mutate()}>
          Accept the license and install
        </Button>
        <PageAnchor to="/operator/models" size="xs">
          Choose another
        </PageAnchor>
      </Group>
    </Stack>
  )
}
