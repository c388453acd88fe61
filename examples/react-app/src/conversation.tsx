import './conversation.css'
import { useParlance } from '@parlance/react'
import { type Agent, fetchSessionToken } from './agent'
import { Composer } from './composer'
import { Controls } from './controls'
import { Face } from './face'
import { Transcript } from './transcript'

const states = {
  idle: 'Not connected',
  'requesting-microphone': 'Allow the microphone if the browser asks',
  connecting: 'Connecting …',
  connected: 'Connected',
  reconnecting: 'Connection lost, trying again …',
  disconnecting: 'Hanging up …',
  disconnected: 'Not connected',
} as const

export const Conversation = ({ agent }: { agent: Agent }) => {
  const { agentId, apiOrigin, name } = agent
  const parlance = useParlance({ agentId, apiOrigin, sessionToken: fetchSessionToken })
  const { connectionState, transcript, agentSpeaking, error, sendText } = parlance
  const isConnected = connectionState === 'connected'

  return (
    <main data-state={connectionState}>
      <header>
        <h1>Talk with {name}</h1>
        <p role="status">{isConnected && agentSpeaking ? `${name} is speaking` : states[connectionState]}</p>
      </header>
      <Face containerRef={parlance.avatarRef} load={parlance.avatarLoad} speaking={agentSpeaking} />
      <Controls parlance={parlance} />
      {error && <p role="alert">{error.message}</p>}
      <Transcript messages={transcript} />
      <Composer disabled={!isConnected} onSend={sendText} />
    </main>
  )
}
