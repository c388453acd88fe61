import { Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { PageButton } from '../../shared/links.js'
import { Loaded } from '../../shared/loaded.js'
import { Page } from '../../shared/page.js'
import type { Agent } from '../agent.js'
import { useAgent } from '../agent-queries.js'
import { CompareDialog } from './compare-dialog.js'
import { publicationList } from './history-queries.js'
import { PublicationTable } from './publication-table.js'
import { PublishRevisionDialog } from './publish-revision-dialog.js'
import { RevisionTable } from './revision-table.js'

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
