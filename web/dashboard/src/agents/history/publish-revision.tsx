import { Button, Stack, Text } from '@mantine/core'
import { useReload } from '../../api/api.js'
import { rowButton } from '../../shared/data-table.js'
import { Dialog, DialogButton } from '../../shared/dialog.js'
import { DialogButtons } from '../../shared/form.js'
import { Loaded } from '../../shared/loaded.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent } from '../agent.js'
import { useAgent, usePublish } from '../agent-queries.js'
import { DifferenceFromPublished } from '../difference/difference-list.js'
import { publicationList, useRevision } from './history-queries.js'

interface PublishDialogProps {
  readonly agent: Agent
  readonly version: number
  onClose(): void
}

const PublishDialog = ({ agent, version, onClose }: PublishDialogProps) => {
  const revision = useRevision(agent.id, version)
  const { refetch } = useAgent(agent.id)
  const reload = useReload(publicationList)
  const publish = usePublish(agent.id)
  const finish = () => {
    onClose()
    return Promise.all([refetch(), reload()])
  }
  return (
    <Dialog title={`Publish revision ${version}?`} size="lg" onClose={onClose}>
      <Loaded query={revision}>
        {({ id, config }) => (
          <Stack>
            <DifferenceFromPublished agent={agent} config={config} />
            <Text c="dimmed">New conversations will use this revision. The draft stays as it is.</Text>
            <ProblemAlert error={publish.error} />
            <DialogButtons onCancel={onClose}>
              <Button
                loading={publish.isPending}
                onClick={() => publish.mutate({ revisionId: id }, { onSuccess: finish })}
              >
                Publish now
              </Button>
            </DialogButtons>
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

interface PublishRevisionButtonProps extends Omit<PublishDialogProps, 'onClose'> {
  readonly label: string
  /** The name of the button for screen readers. */
  readonly name: string
}

/** Shows what going to an older revision would change for users, and publishes it. */
export const PublishRevisionButton = ({ label, name, agent, version }: PublishRevisionButtonProps) => (
  <DialogButton {...rowButton} label={label} name={name}>
    {(close) => <PublishDialog agent={agent} version={version} onClose={close} />}
  </DialogButton>
)
