import { useParlance } from '@parlance/react'
import { type Agent, fetchSessionToken } from './agent'
import { Composer } from './composer'
import { Face } from './face'
import { Transcript } from './transcript'

const said = {
  idle: 'Not connected',
  'requesting-microphone': 'Please allow the microphone …',
  connecting: 'Connecting …',
  connected: 'Connected',
  reconnecting: 'Connection lost, trying again …',
  disconnecting: 'Hanging up …',
  disconnected: 'Not connected',
} as const

export const Conversation = ({ agent }: { agent: Agent }) => {
  const { agentId, apiOrigin, name } = agent
  const parlance = useParlance({ agentId, apiOrigin, sessionToken: fetchSessionToken })
  const { connectionState, transcript, agentSpeaking, error, connect, disconnect, sendText } = parlance
  const isIdle = connectionState === 'idle' || connectionState === 'disconnected'
  const isConnected = connectionState === 'connected'

  return (
    <main data-state={connectionState}>
      <h1>Talk with {name}</h1>
      <Face containerRef={parlance.avatarRef} load={parlance.avatarLoad} speaking={agentSpeaking} />
      <p role="status">{isConnected && agentSpeaking ? `${name} is speaking` : said[connectionState]}</p>
      <p>
        <button type="button" disabled={!isIdle} onClick={() => connect({ inputMode: 'automatic' })}>
          Talk
        </button>{' '}
        <button type="button" disabled={!isIdle} onClick={() => connect({ textOnly: true })}>
          Type only
        </button>{' '}
        <button type="button" disabled={isIdle} onClick={disconnect}>
          Hang up
        </button>
      </p>
      {error && <p role="alert">{error.message}</p>}
      <Transcript messages={transcript} />
      <Composer disabled={!isConnected} onSend={sendText} />
    </main>
  )
}
