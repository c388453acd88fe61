import { Badge } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatDuration } from '../shared/quantities.js'
import type { ConversationSummary } from './conversation-queries.js'
import { type ConversationStatus, isLive, statuses } from './conversation-words.js'

export const StatusBadge = ({ status }: { readonly status: ConversationStatus }) => (
  <Badge variant={isLive(status) ? 'dot' : 'light'} color={statuses[status].color}>
    {statuses[status].label}
  </Badge>
)

/** Counts on from the seconds that the server sent, whose clock may differ from the browser's. */
const Running = ({ seconds }: { readonly seconds: number }) => {
  const [beganMs] = useState(() => performance.now() - seconds * 1_000)
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return formatDuration(Math.floor(Math.max(seconds, (nowMs - beganMs) / 1_000)))
}

interface ConversationLengthProps {
  readonly conversation: ConversationSummary
  /** Whether a live conversation is known to continue. */
  readonly isCurrent?: boolean
}

/** How long a conversation took; of a live one, so far. */
export const ConversationLength = ({ conversation, isCurrent = true }: ConversationLengthProps) => {
  const { status, started_at, duration_seconds } = conversation
  const isRunning = isLive(status) && started_at !== null && isCurrent
  return isRunning ? <Running key={started_at} seconds={duration_seconds} /> : formatDuration(duration_seconds)
}
