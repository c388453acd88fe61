import { Badge } from '@mantine/core'
import type { Agent } from './agent.js'

/** Whether the draft is another revision than the published one. */
const hasUnpublishedChanges = ({ active_publication, draft_revision }: Agent): boolean =>
  active_publication !== null && active_publication.revision.version !== draft_revision.version

const shownState = (agent: Agent): { label: string; color: string } => {
  if (agent.state === 'draft') return { label: 'Draft', color: 'gray' }
  return hasUnpublishedChanges(agent)
    ? { label: 'Published, changed since', color: 'yellow' }
    : { label: 'Published', color: 'teal' }
}

/** Whether users talk with the Agent, and with which revision. */
export const AgentStateBadge = ({ agent }: { readonly agent: Agent }) => {
  const { label, color } = shownState(agent)
  return (
    <Badge component="span" color={color}>
      {label}
    </Badge>
  )
}
