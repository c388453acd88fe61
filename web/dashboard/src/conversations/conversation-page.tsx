import { Alert, Button, Code } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CircleAlert, Download, FlaskConical, Headphones, PhoneOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded, Loading } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { saveFile } from '../shared/save-file.js'
import { Section } from '../shared/section.js'
import { AnalysisSection } from './analysis-section.js'
import { ConversationFacts, type ConversationFactsProps } from './conversation-facts.js'
import {
  type Conversation,
  useConversation,
  useDeleteConversation,
  useEndConversation,
} from './conversation-queries.js'
import { isLive } from './conversation-words.js'
import { RecordedConversation } from './recorded-conversation.js'
import { scenarioOf } from './scenario.js'
import { TurnList } from './turn-waterfall.js'

/** Deletes a conversation after a question, and leads back to the list. */
const DeleteButton = ({ sessionId }: { readonly sessionId: string }) => {
  const remove = useDeleteConversation()
  const navigate = useNavigate()
  return (
    <ConfirmButton
      label="Delete"
      title="Delete the conversation?"
      confirm="Delete it"
      mutation={remove}
      variables={{ params: { path: { sessionId } } }}
      onDone={() => void navigate({ to: '/conversations' })}
    >
      Its record, messages and recording are removed for good. A live conversation is ended first.
    </ConfirmButton>
  )
}

/** Ends a live conversation after a question. */
const EndButton = ({ sessionId }: { readonly sessionId: string }) => {
  const end = useEndConversation(sessionId)
  return (
    <ConfirmButton
      variant="light"
      leftSection={<PhoneOff />}
      label="End"
      title="End the conversation?"
      confirm="End it"
      mutation={end}
      variables={{ params: { path: { sessionId } } }}
    >
      The user is disconnected at once. The record stays, and the audit log says who ended it.
    </ConfirmButton>
  )
}

interface ExportButtonsProps {
  readonly conversation: Conversation
  readonly title: string
}

/**
 * Make the browser save the conversation: with its turns, its calls of tools and its analysis as a JSON file, and as a scenario for
 * a test of the Agent.
 */
const ExportButtons = ({ conversation, title }: ExportButtonsProps) => {
  const { id, transcript } = conversation
  const save = (text: string, type: string, name: string) => saveFile(new Blob([text], { type }), name)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download />}
        onClick={() =>
          save(`${JSON.stringify(conversation, null, 2)}\n`, 'application/json', `conversation-${id}.json`)
        }
      >
        Export as JSON
      </Button>
      <Button
        variant="default"
        leftSection={<FlaskConical />}
        disabled={transcript.every(({ role }) => role !== 'user')}
        onClick={() => save(scenarioOf(conversation, title), 'application/yaml', `scenario-${id}.yaml`)}
      >
        Export as test
      </Button>
    </>
  )
}

const ListenPanel = lazy(async () => ({ default: (await import('./listening/listen-panel.js')).ListenPanel }))

const Content = ({ conversation, isCurrent }: ConversationFactsProps) => (
  <>
    {conversation.error !== null && (
      <Alert role="alert" color="red" title={conversation.error.code} icon={<CircleAlert />}>
        {conversation.error.detail}
      </Alert>
    )}
    <ConversationFacts conversation={conversation} isCurrent={isCurrent} />
    {conversation.analysis !== null && <AnalysisSection analysis={conversation.analysis} />}
    <RecordedConversation conversation={conversation} />
    {conversation.transcript.length === 0 && conversation.turns.length > 0 && (
      <Section title="Turns">
        <TurnList turns={conversation.turns} />
      </Section>
    )}
    {Object.keys(conversation.metadata).length > 0 && (
      <Section title="Metadata">
        <Code block>{JSON.stringify(conversation.metadata, null, 2)}</Code>
      </Section>
    )}
  </>
)

export const ConversationPage = () => {
  const { sessionId } = useParams({ from: '/signed-in/conversations/$sessionId' })
  const query = useConversation(sessionId)
  const { data: agents } = useAgentNames()
  const { data: conversation } = query
  const { role } = useWorkspace()
  const [listenedId, setListenedId] = useState<string>()
  const isListening = listenedId === sessionId
  const title =
    conversation === undefined ? 'Conversation' : `Conversation with ${agentNameOf(conversation.agent_id, agents)}`
  return (
    <Page
      title={title}
      description={<PageAnchor to="/conversations">All conversations</PageAnchor>}
      actions={
        conversation !== undefined && (
          <>
            {isLive(conversation.status) && isAtLeast(role, 'admin') && (
              <Button
                variant="light"
                leftSection={<Headphones />}
                disabled={isListening}
                onClick={() => setListenedId(sessionId)}
              >
                Listen
              </Button>
            )}
            {isLive(conversation.status) && <EndButton sessionId={sessionId} />}
            <ExportButtons conversation={conversation} title={title} />
            <DeleteButton sessionId={sessionId} />
          </>
        )
      }
    >
      {isListening && (
        <Suspense fallback={<Loading />}>
          <ListenPanel key={sessionId} sessionId={sessionId} onClose={() => setListenedId(undefined)} />
        </Suspense>
      )}
      <Loaded query={query}>{(loaded) => <Content conversation={loaded} isCurrent={query.isCurrent} />}</Loaded>
    </Page>
  )
}
