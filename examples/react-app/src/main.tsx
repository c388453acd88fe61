import { StrictMode, Suspense, use } from 'react'
import { createRoot } from 'react-dom/client'
import { findAgent } from './agent'
import { Conversation } from './conversation'
import '@parlance/example-token-backend/page.css'

const asked = findAgent()

const Page = ({ agent }: { agent: ReturnType<typeof findAgent> }) => {
  const found = use(agent)
  return found === undefined ? (
    <p role="alert">The backend cannot be reached. Is it running?</p>
  ) : (
    <Conversation agent={found} />
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Suspense fallback={<p role="status">Loading …</p>}>
      <Page agent={asked} />
    </Suspense>
  </StrictMode>,
)
