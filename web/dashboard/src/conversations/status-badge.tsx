import { Badge } from '@mantine/core'
import { type ConversationStatus, isLive, statuses } from './conversation-words.js'

export const StatusBadge = ({ status }: { readonly status: ConversationStatus }) => (
  <Badge variant={isLive(status) ? 'dot' : 'light'} color={statuses[status].color}>
    {statuses[status].label}
  </Badge>
)
