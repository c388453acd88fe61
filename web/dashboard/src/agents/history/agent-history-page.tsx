import { Badge, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, Rocket } from 'lucide-react'
import { useReload } from '../../api/api.js'
import { type Column, DataTable, rowButton } from '../../shared/data-table.js'
import { Dialog, DialogButton } from '../../shared/dialog.js'
import { Empty } from '../../shared/empty.js'
import { DialogButtons } from '../../shared/form.js'
import { PageButton } from '../../shared/links.js'
import { Loaded } from '../../shared/loaded.js'
import { Moment } from '../../shared/moment.js'
import { Page } from '../../shared/page.js'
import { PagedList } from '../../shared/paged-list.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent, Publication } from '../agent.js'
import { useAgent, usePublish } from '../agent-queries.js'
import { DifferenceFromPublished, DifferenceList } from '../difference/difference-list.js'
import { publicationList, type Revision, usePublications, useRevision, useRevisions } from './history-queries.js'

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
const PublishRevisionButton = ({ label, name, agent, version }: PublishRevisionButtonProps) => (
  <DialogButton {...rowButton} label={label} name={name}>
    {(close) => <PublishDialog agent={agent} version={version} onClose={close} />}
  </DialogButton>
)

/** The publications with their times, each with a button to roll back. */
const PublicationTable = ({ agent }: { readonly agent: Agent }) => {
  const standing = agent.active_publication
  const columns: readonly Column<Publication>[] = [
    {
      header: 'Publication',
      cell: ({ id, version }) => (
        <>
          Publication {version}
          {id === standing?.id && (
            <Badge ml="xs" color="teal">
              Active
            </Badge>
          )}
        </>
      ),
    },
    { header: 'Revision', cell: ({ revision }) => `Revision ${revision.version}` },
    { header: 'Published', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <PagedList
      list={usePublications(agent.id)}
      empty={<Empty icon={Rocket} title="Not published yet" />}
      more="Show older ones"
    >
      {(publications) => (
        <DataTable
          label="Publications"
          rows={publications}
          rowKey={({ id }) => id}
          columns={columns}
          isWhole
          actions={({ version, revision }) =>
            revision.version !== standing?.revision.version && (
              <PublishRevisionButton
                label="Roll back"
                name={`Roll back to publication ${version}`}
                agent={agent}
                version={revision.version}
              />
            )
          }
        />
      )}
    </PagedList>
  )
}

interface CompareDialogProps {
  readonly agent: Agent
  readonly version: number
  onClose(): void
}

/** What changed from an older revision to the draft. */
const CompareDialog = ({ agent, version, onClose }: CompareDialogProps) => {
  const revision = useRevision(agent.id, version)
  return (
    <Dialog title={`From revision ${version} to the draft`} size="lg" onClose={onClose}>
      <Loaded query={revision}>{({ config }) => <DifferenceList before={config} after={agent} />}</Loaded>
    </Dialog>
  )
}

/** Every saved state of the draft. */
const RevisionTable = ({ agent }: { readonly agent: Agent }) => {
  const published = agent.active_publication?.revision.version
  const draft = agent.draft_revision.version
  const columns: readonly Column<Revision>[] = [
    {
      header: 'Revision',
      cell: ({ version }) => (
        <Group gap="xs">
          Revision {version}
          {version === draft && <Badge color="gray">Draft</Badge>}
          {version === published && <Badge color="teal">Published</Badge>}
        </Group>
      ),
    },
    { header: 'Saved', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <PagedList list={useRevisions(agent.id)} empty={null} more="Show older ones">
      {(revisions) => (
        <DataTable
          label="Revisions"
          rows={revisions}
          rowKey={({ id }) => id}
          columns={columns}
          isWhole
          actions={({ version }) => (
            <>
              {version !== draft && (
                <DialogButton {...rowButton} label="Compare" name={`Compare revision ${version} with the draft`}>
                  {(close) => <CompareDialog agent={agent} version={version} onClose={close} />}
                </DialogButton>
              )}
              {version !== published && (
                <PublishRevisionButton
                  label="Publish"
                  name={`Publish revision ${version}`}
                  agent={agent}
                  version={version}
                />
              )}
            </>
          )}
        />
      )}
    </PagedList>
  )
}

export const AgentHistoryPage = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId/history' })
  const query = useAgent(agentId)
  return (
    <Page
      title="History"
      description={query.data?.display_name}
      actions={
        <PageButton to="/agents/$agentId" params={{ agentId }} variant="default" leftSection={<ArrowLeft />}>
          Back to the draft
        </PageButton>
      }
    >
      <Loaded query={query}>
        {(agent) => (
          <Tabs defaultValue="publications">
            <Tabs.List>
              <Tabs.Tab value="publications">Publications</Tabs.Tab>
              <Tabs.Tab value="revisions">Revisions</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="publications" pt="md">
              <PublicationTable agent={agent} />
            </Tabs.Panel>
            <Tabs.Panel value="revisions" pt="md">
              <RevisionTable agent={agent} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  )
}
