import { Conversation, ParlanceProvider } from '@parlance/react'
import { AvatarView } from '@parlance/react/avatar'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@parlance/react/styles.css'

/** Fetches a token for each conversation. The key that mints it never leaves the backend. */
const sessionToken = async () => {
  const response = await fetch('/session-token', { method: 'POST' })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

const { AGENT_ID, PARLANCE_URL } = import.meta.env

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ParlanceProvider agentId={AGENT_ID} apiOrigin={PARLANCE_URL} sessionToken={sessionToken}>
      <Conversation title="Talk with Guide" figure={<AvatarView />} />
    </ParlanceProvider>
  </StrictMode>,
)
