import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Loaded } from '../../shared/loaded.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent } from '../agent.js'
import { usePublish } from '../agent-queries.js'
import { DifferenceFromPublished } from '../difference/difference-from-published.js'
import { useRevision } from './history-queries.js'

export interface PublishRevisionDialogProps {
  readonly agent: Agent
  /** Undefined while the dialog is closed. */
  readonly version: number | undefined
  onClose(): void
  onPublished(): void
}

/** Shows what going to an older revision would change for users, and publishes it. */
export const PublishRevisionDialog = ({ version, onClose, ...asked }: PublishRevisionDialogProps) => (
  <Modal
    opened={version !== undefined}
    onClose={onClose}
    title={version === undefined ? 'Publish' : `Publish revision ${version}?`}
    size="lg"
  >
    {version !== undefined && <Review version={version} onClose={onClose} {...asked} />}
  </Modal>
)

const Review = (props: Omit<PublishRevisionDialogProps, 'version'> & { readonly version: number }) => {
  const { agent, version, onClose, onPublished } = props
  const revision = useRevision(agent.id, version)
  const publish = usePublish(agent.id)
  return (
    <Stack>
      <Loaded query={revision}>
        {({ id, config }) => (
          <>
            <DifferenceFromPublished agent={agent} config={config} />
            <Text size="sm" c="dimmed">
              New conversations will use this revision. The draft stays as it is.
            </Text>
            <ProblemAlert error={publish.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                loading={publish.isPending}
                onClick={() => publish.mutate({ revisionId: id }, { onSuccess: onPublished })}
              >
                Publish now
              </Button>
            </Group>
          </>
        )}
      </Loaded>
    </Stack>
  )
}
