'use client'

import { Conversation, ParlanceProvider } from '@parlance/react'

/** Fetches a token for each conversation. The key that mints it never leaves the server. */
const sessionToken = async () => {
  const response = await fetch('/session-token', { method: 'POST' })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

export const Talk = ({ agentId, apiOrigin }: { agentId: string; apiOrigin: string }) => (
  <ParlanceProvider agentId={agentId} apiOrigin={apiOrigin} sessionToken={sessionToken}>
    <Conversation title="Talk with Guide" />
  </ParlanceProvider>
)
