import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { PageAnchor } from '../shared/links.js'
import { Loading } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useAgent } from './agent-queries.js'
import { AgentEditor } from './editor/agent-editor.js'

export const AgentPage = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const { data, error, refetch } = useAgent(agentId)
  const [reloads, setReloads] = useState(0)
  const reload = async () => {
    await refetch({ throwOnError: true })
    setReloads(reloads + 1)
  }
  if (data !== undefined) return <AgentEditor key={`${agentId} ${reloads}`} loaded={data} onReload={reload} />
  return (
    <Page title="Agent" description={error === null ? undefined : <PageAnchor to="/agents">All Agents</PageAnchor>}>
      {error === null ? <Loading /> : <ProblemAlert error={error} retry={() => refetch()} />}
    </Page>
  )
}
