import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { PageButton } from '../../shared/links.js'
import { Loaded } from '../../shared/loaded.js'
import { Page } from '../../shared/page.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent } from '../agent.js'
import { useAgent, usePublish } from '../agent-queries.js'
import { DifferenceFromPublished, DifferenceList } from '../difference/difference-list.js'
import { publicationList, useRevision } from './history-queries.js'
import { PublicationTable } from './publication-table.js'
import { RevisionTable } from './revision-table.js'

interface CompareDialogProps {
  readonly agent: Agent
  /** Undefined while the dialog is closed. */
  readonly version: number | undefined
  onClose(): void
}

/** What changed from an older revision to the draft. */
const CompareDialog = ({ agent, version, onClose }: CompareDialogProps) => {
  const revision = useRevision(agent.id, version)
  return (
    <Modal
      opened={version !== undefined}
      onClose={onClose}
      title={version === undefined ? 'Compare' : `From revision ${version} to the draft`}
      size="lg"
    >
      <Loaded query={revision}>{({ config }) => <DifferenceList before={config} after={agent} />}</Loaded>
    </Modal>
  )
}

interface PublishRevisionDialogProps {
  readonly agent: Agent
  /** Undefined while the dialog is closed. */
  readonly version: number | undefined
  onClose(): void
  onPublished(): void
}

/** Shows what going to an older revision would change for users, and publishes it. */
const PublishRevisionDialog = ({ version, onClose, ...asked }: PublishRevisionDialogProps) => (
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

export const AgentHistoryPage = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId/history' })
  const agent = useAgent(agentId)
  return (
    <Page
      title="History"
      description={agent.data?.display_name}
      actions={
        <PageButton to="/agents/$agentId" params={{ agentId }} variant="default" leftSection={<ArrowLeft />}>
          Back to the draft
        </PageButton>
      }
    >
      <Loaded query={agent}>{(found) => <History agent={found} onPublished={agent.refetch} />}</Loaded>
    </Page>
  )
}

const History = ({ agent, onPublished }: { readonly agent: Agent; onPublished(): unknown }) => {
  const client = useQueryClient()
  const [publishing, setPublishing] = useState<number>()
  const [comparing, setComparing] = useState<number>()
  const finish = async () => {
    setPublishing(undefined)
    await Promise.all([onPublished(), client.invalidateQueries({ queryKey: ['get', publicationList] })])
  }
  return (
    <Tabs defaultValue="publications" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="publications">Publications</Tabs.Tab>
        <Tabs.Tab value="revisions">Revisions</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="publications" pt="md">
        <PublicationTable agent={agent} onPublish={setPublishing} />
      </Tabs.Panel>
      <Tabs.Panel value="revisions" pt="md">
        <RevisionTable agent={agent} onPublish={setPublishing} onCompare={setComparing} />
      </Tabs.Panel>
      <PublishRevisionDialog
        agent={agent}
        version={publishing}
        onClose={() => setPublishing(undefined)}
        onPublished={finish}
      />
      <CompareDialog agent={agent} version={comparing} onClose={() => setComparing(undefined)} />
    </Tabs>
  )
}
