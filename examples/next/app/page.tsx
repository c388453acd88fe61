import { Talk } from './talk'

// The address and the Agent are read when the page is requested, not when it is built.
export const dynamic = 'force-dynamic'

const Page = () => (
  <main style={{ boxSizing: 'border-box', height: '100dvh', maxWidth: '64rem', margin: 'auto', padding: '0.5rem' }}>
    <Talk agentId={process.env.AGENT_ID!} apiOrigin={process.env.PARLANCE_URL!} />
  </main>
)
export default Page
