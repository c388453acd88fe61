import { Alert, Code, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { ConversationFacts } from './conversation-facts.js'
import { type Conversation, useConversation } from './conversation-queries.js'
import { DeleteButton } from './delete-button.js'
import { ExportButton } from './export-button.js'
import { Transcript, TurnList } from './transcript.js'

const Failure = ({ error }: { readonly error: NonNullable<Conversation['error']> }) => (
  <Alert role="alert" variant="light" color="red" title={error.code} icon={<CircleAlert aria-hidden />}>
    {error.detail}
  </Alert>
)

const Content = ({ conversation }: { readonly conversation: Conversation }) => (
  <>
    {conversation.error !== null && <Failure error={conversation.error} />}
    <ConversationFacts conversation={conversation} />
    <section aria-labelledby="transcript">
      <Title order={2} size="h4" id="transcript" mb="xs">
        Transcript
      </Title>
      {conversation.transcript.length > 0 ? (
        <Transcript conversation={conversation} />
      ) : (
        <Text size="sm" c="dimmed">
          No message is stored.
        </Text>
      )}
    </section>
    {conversation.transcript.length === 0 && conversation.turns.length > 0 && (
      <section aria-labelledby="turns">
        <Title order={2} size="h4" id="turns" mb="xs">
          Turns
        </Title>
        <TurnList turns={conversation.turns} />
      </section>
    )}
    {Object.keys(conversation.metadata).length > 0 && (
      <section aria-labelledby="metadata">
        <Title order={2} size="h4" id="metadata" mb="xs">
          Metadata
        </Title>
        <Code block>{JSON.stringify(conversation.metadata, null, 2)}</Code>
      </section>
    )}
  </>
)

export const ConversationPage = () => {
  const { sessionId } = useParams({ from: '/signed-in/conversations/$sessionId' })
  const query = useConversation(sessionId)
  const { data: agents } = useAgentNames()
  const { data: conversation } = query
  return (
    <Page
      title={
        conversation === undefined ? 'Conversation' : `Conversation with ${agentNameOf(conversation.agent_id, agents)}`
      }
      description={<PageAnchor to="/conversations">All conversations</PageAnchor>}
      actions={
        conversation !== undefined && (
          <>
            <ExportButton conversation={conversation} />
            <DeleteButton sessionId={sessionId} />
          </>
        )
      }
    >
      <Loaded query={query}>{(loaded) => <Content conversation={loaded} />}</Loaded>
    </Page>
  )
}
