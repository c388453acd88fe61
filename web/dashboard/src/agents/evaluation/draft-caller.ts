import { type Caller, createConversationWait, type Reply } from '@parlance/agent-tests'
import type { ParlanceClient } from '@parlance/client'

interface DraftCallerOptions {
  /** Otherwise the replies are in text alone, which is faster and needs no speech. */
  readonly isSpoken: boolean
  /** Hangs up. */
  readonly signal: AbortSignal
}

/** A user who types, by a client that is not connected. Rejects when the conversation does not start. */
export const connectDraftCaller = async (
  client: ParlanceClient,
  { isSpoken, signal }: DraftCallerOptions,
): Promise<Caller> => {
  /** Whether a whole message of the Agent came in this turn. */
  let hasReplied = false
  let beganMs = 0
  /** When the Agent began to reply in this turn. */
  let repliedMs: number | undefined
  const { changed, end, hasEnded, setProblem, until } = createConversationWait()
  client.on('transcript', ({ role, final, interrupted }) => {
    if (role === 'agent' && final && !interrupted) hasReplied = true
    changed()
  })
  client.on('agentState', (state) => {
    if (state === 'speaking') repliedMs ??= performance.now()
    changed()
  })
  client.on('error', ({ message }) => setProblem(message))
  client.on('disconnected', ({ detail }) => end(detail))
  signal.addEventListener('abort', () => void client.disconnect())

  // The page is silent: the replies are read.
  client.setVolume(0)
  const { id: sessionId } = await client.connect({ microphone: false, textOnly: !isSpoken, signal })
  beganMs = performance.now()

  /** Waits for the whole reply. */
  const reply = async (known: ReadonlySet<string>): Promise<Reply> => {
    // An Agent that hangs up does not listen again.
    await until(() => hasReplied && (client.agentState === 'listening' || hasEnded()))
    const messages = client.messages.filter(({ id }) => !known.has(id))
    return { messages, delayMs: repliedMs && repliedMs - beganMs }
  }

  return {
    sessionId,
    listen: () => reply(new Set()),
    type(text) {
      const known = new Set(client.messages.map(({ id }) => id))
      hasReplied = false
      repliedMs = undefined
      setProblem(undefined)
      beganMs = performance.now()
      client.sendText(text)
      return reply(known)
    },
    hangUp: () => client.disconnect(),
  }
}
