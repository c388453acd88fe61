import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { Loaded, Loading } from '../../shared/loaded.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent, Publication } from '../agent.js'
import { usePublish, usePublishCheck } from '../agent-queries.js'
import type { Section } from '../sections.js'
import { ProblemList } from './problem-list.js'

/** Loaded with the first dialog, because the code that compares texts is large. */
const DifferenceFromPublished = lazy(async () => {
  const { DifferenceFromPublished: component } = await import('../difference/difference-list.js')
  return { default: component }
})

export interface PublishDialogProps {
  readonly agent: Agent
  readonly opened: boolean
  onClose(): void
  onPublished(publication: Publication): void
  /** Called with the section of a field that prevents it. */
  onOpen(section: Section): void
}

/** Shows what would change for users, and publishes the saved draft. */
export const PublishDialog = ({ agent, opened, onClose, ...asked }: PublishDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={`Publish ${agent.display_name}?`} size="lg">
    <Review agent={agent} onClose={onClose} {...asked} />
  </Modal>
)

const Review = ({ agent, onClose, onPublished, onOpen }: Omit<PublishDialogProps, 'opened'>) => {
  const check = usePublishCheck(agent)
  const publish = usePublish(agent.id)
  const confirm = () =>
    publish.mutate(
      { agent },
      {
        onSuccess(publication) {
          onPublished(publication)
          onClose()
        },
      },
    )
  return (
    <Stack>
      <NoModelNotice provider={agent.llm_provider} />
      <Loaded query={check}>
        {(found) => (
          <>
            <ProblemList check={found} onOpen={onOpen} />
            {found.publishable && !found.api_ready && (
              <Text size="sm">No variant of the voice is chosen, so the API cannot start conversations yet.</Text>
            )}
          </>
        )}
      </Loaded>
      <Suspense fallback={<Loading />}>
        <DifferenceFromPublished agent={agent} config={agent} />
      </Suspense>
      <Text size="sm" c="dimmed">
        New conversations will use this version. Live ones keep theirs.
      </Text>
      <ProblemAlert error={publish.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={check.data?.publishable !== true} loading={publish.isPending} onClick={confirm}>
          Publish now
        </Button>
      </Group>
    </Stack>
  )
}
