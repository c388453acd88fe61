import { Button, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { Dialog } from '../../shared/dialog.js'
import { DialogButtons } from '../../shared/form.js'
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

interface PublishDialogProps {
  readonly agent: Agent
  onClose(): void
  onPublished(publication: Publication): void
  /** Called with the section of a field that prevents it. */
  onOpen(section: Section): void
}

/** Shows what would change for users, and publishes the saved draft. */
export const PublishDialog = ({ agent, onClose, onPublished, onOpen }: PublishDialogProps) => {
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
    <Dialog title={`Publish ${agent.display_name}?`} size="lg" onClose={onClose}>
      <Stack>
        <NoModelNotice provider={agent.llm_provider} />
        <Loaded query={check}>{(found) => <ProblemList check={found} onOpen={onOpen} />}</Loaded>
        <Suspense fallback={<Loading />}>
          <DifferenceFromPublished agent={agent} config={agent} />
        </Suspense>
        <Text c="dimmed">New conversations will use this version. Live ones keep theirs.</Text>
        <ProblemAlert error={publish.error} />
        <DialogButtons onCancel={onClose}>
          <Button disabled={check.data?.publishable !== true} loading={publish.isPending} onClick={confirm}>
            Publish now
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
