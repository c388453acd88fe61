import { Alert, Button, Code, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CircleAlert, Download, FlaskConical, Headphones, PhoneOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded, Loading } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { saveFile } from '../shared/save-file.js'
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
  const remove = useDeleteConversation(sessionId)
  const [isAsking, { open, close }] = useDisclosure(false, { onClose: remove.reset })
  const navigate = useNavigate()
  return (
    <>
      <Button variant="subtle" color="red" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Delete the conversation?"
        label="Delete it"
        mutation={remove}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate({ to: '/conversations' }) })}
      >
        Its record, messages and recording are removed for good. A live conversation is ended first.
      </ConfirmDialog>
    </>
  )
}

/** Ends a live conversation after a question. */
const EndButton = ({ sessionId }: { readonly sessionId: string }) => {
  const end = useEndConversation(sessionId)
  const [isAsking, { open, close }] = useDisclosure(false, { onClose: end.reset })
  return (
    <>
      <Button color="red" variant="light" leftSection={<PhoneOff />} onClick={open}>
        End
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="End the conversation?"
        label="End it"
        mutation={end}
        onClose={close}
        onConfirm={() => end.mutate(undefined, { onSuccess: close })}
      >
        The user is disconnected at once. The record stays, and the audit log says who ended it.
      </ConfirmDialog>
    </>
  )
}

interface ListenButtonProps {
  readonly isListening: boolean
  onListen(): void
}

/** Begins to listen to a live conversation. */
const ListenButton = ({ isListening, onListen }: ListenButtonProps) => (
  <Button variant="light" leftSection={<Headphones />} disabled={isListening} onClick={onListen}>
    Listen
  </Button>
)

/** Makes the browser save the conversation, with its turns, its calls of tools and its analysis, as a JSON file. */
const save = (conversation: Conversation): void => {
  const file = new Blob([`${JSON.stringify(conversation, null, 2)}\n`], { type: 'application/json' })
  saveFile(file, `conversation-${conversation.id}.json`)
}

const ExportButton = ({ conversation }: { readonly conversation: Conversation }) => (
  <Button variant="default" leftSection={<Download />} onClick={() => save(conversation)}>
    Export as JSON
  </Button>
)

/** Saves the conversation as a scenario for a test of the Agent. */
const ScenarioButton = ({ conversation, title }: { readonly conversation: Conversation; readonly title: string }) => {
  const save = () => {
    const file = new Blob([scenarioOf(conversation, title)], { type: 'application/yaml' })
    saveFile(file, `scenario-${conversation.id}.yaml`)
  }
  return (
    <Button
      variant="default"
      leftSection={<FlaskConical />}
      disabled={conversation.transcript.every(({ role }) => role !== 'user')}
      onClick={save}
    >
      Export as test
    </Button>
  )
}

const ListenPanel = lazy(async () => ({ default: (await import('./listening/listen-panel.js')).ListenPanel }))

const Failure = ({ error }: { readonly error: NonNullable<Conversation['error']> }) => (
  <Alert role="alert" color="red" title={error.code} icon={<CircleAlert />}>
    {error.detail}
  </Alert>
)

const Content = ({ conversation, isCurrent }: ConversationFactsProps) => (
  <>
    {conversation.error !== null && <Failure error={conversation.error} />}
    <ConversationFacts conversation={conversation} isCurrent={isCurrent} />
    {conversation.analysis !== null && <AnalysisSection analysis={conversation.analysis} />}
    <RecordedConversation conversation={conversation} />
    {conversation.transcript.length === 0 && conversation.turns.length > 0 && (
      <section aria-labelledby="turns">
        <Title order={2} id="turns" mb="xs">
          Turns
        </Title>
        <TurnList turns={conversation.turns} />
      </section>
    )}
    {Object.keys(conversation.metadata).length > 0 && (
      <section aria-labelledby="metadata">
        <Title order={2} id="metadata" mb="xs">
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
              <ListenButton isListening={isListening} onListen={() => setListenedId(sessionId)} />
            )}
            {isLive(conversation.status) && <EndButton sessionId={sessionId} />}
            <ExportButton conversation={conversation} />
            <ScenarioButton conversation={conversation} title={title} />
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
