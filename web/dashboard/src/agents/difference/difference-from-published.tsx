import { ScrollArea, Text } from '@mantine/core'
import { Loaded } from '../../shared/loaded.js'
import type { Agent, AgentConfig } from '../agent.js'
import { useRevision } from '../history/history-queries.js'
import { DifferenceList } from './difference-list.js'

export interface DifferenceFromPublishedProps {
  readonly agent: Agent
  /** The configuration that would be published. */
  readonly config: AgentConfig
}

/** The differences from the published configuration. */
export const DifferenceFromPublished = ({ agent, config }: DifferenceFromPublishedProps) => {
  const published = agent.active_publication?.revision.version
  const standing = useRevision(agent.id, published)
  if (published === undefined)
    return <Text size="sm">This is the first publication. Conversations can begin after it.</Text>
  return (
    <ScrollArea.Autosize
      mah="45vh"
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'What changes' }}
    >
      <Loaded query={standing}>{(revision) => <DifferenceList before={revision.config} after={config} />}</Loaded>
    </ScrollArea.Autosize>
  )
}
