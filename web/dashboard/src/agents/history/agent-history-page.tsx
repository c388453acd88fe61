import { Tabs } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { PageButton } from '../../shared/links.js'
import { Loaded } from '../../shared/loaded.js'
import { Page } from '../../shared/page.js'
import { useAgent } from '../agent-queries.js'
import { PublicationTable } from './publication-table.js'
import { RevisionTable } from './revision-table.js'

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
