import { Conversation, ParlanceProvider } from '@parlance/react'
import { AvatarView } from '@parlance/react/avatar'
import { StrictMode, Suspense, use } from 'react'
import { createRoot } from 'react-dom/client'
import '@parlance/react/styles.css'

/** The answer of the backend. */
interface Agent {
  readonly agentId: string
  readonly name: string
  readonly apiOrigin: string
}

/** Resolves to undefined when the backend cannot be reached. */
const findAgent = async (): Promise<Agent | undefined> => {
  const response = await fetch('/agent').catch(() => undefined)
  return response?.ok ? response.json() : undefined
}

/** Fetches a new token for each conversation. The key that mints it never leaves the backend. */
const fetchSessionToken = async (): Promise<string> => {
  const response = await fetch('/session-token', { method: 'POST' })
  const { token, error } = await response.json()
  if (!response.ok) throw new Error(error)
  return token
}

const asked = findAgent()

const Page = () => {
  const agent = use(asked)
  if (agent === undefined) return <p role="alert">The backend cannot be reached. Is it running?</p>
  return (
    <ParlanceProvider agentId={agent.agentId} apiOrigin={agent.apiOrigin} sessionToken={fetchSessionToken}>
      <Conversation title={`Talk with ${agent.name}`} figure={<AvatarView />} />
    </ParlanceProvider>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Suspense fallback={<p role="status">Loading …</p>}>
      <Page />
    </Suspense>
  </StrictMode>,
)
