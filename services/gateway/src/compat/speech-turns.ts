import type { StreamClientMessage, StreamServerMessage, StreamStart } from '@parlance/contracts'
import type { AudioPayload } from '../stream/audio-frame.js'

/** Bare audio in binary frames. */
export const rawAudioPayload: AudioPayload = (_context, { data }) => ({
  kind: 'binary',
  bytes: data.byteLength,
  writeTo: (frame, at) => frame.set(data, at),
})

/** Errors about one message, after which its context goes on. */
const isOfMessage = (code: string): boolean => code === 'invalid_request' || code === 'text_too_long'

/**
 * The contexts of a stream of speech whose protocol has none. The text up to a flush is one context. It is ended with the text that
 * follows its last audio, so that the limits of a context hold for a reply and not for a connection.
 */
export const createSpeechTurns = (
  settings: Pick<StreamStart, 'voice_id' | 'language' | 'output'> & { readonly speed?: number },
) => {
  let turn = 0
  /** `flushed`: all audio of the context was sent. */
  let state: 'none' | 'starting' | 'open' | 'flushed' = 'none'
  let waitingFlushes = 0
  let isClosing = false

  const contextId = () => `turn-${turn}`
  const isCurrent = (message: StreamServerMessage) => 'context_id' in message && message.context_id === contextId()

  const start = (): StreamClientMessage[] => {
    turn += 1
    state = 'starting'
    waitingFlushes = 0
    return [
      {
        event: 'start',
        context_id: contextId(),
        audio_frames: 'binary',
        speed: 1,
        volume: 1,
        alignment: [],
        buffering: { mode: 'auto', max_delay_ms: 150 },
        ...settings,
      },
    ]
  }
  const withContext = (): StreamClientMessage[] => (state === 'none' ? start() : [])
  const withNewText = (): StreamClientMessage[] =>
    state === 'flushed' ? [{ event: 'end', context_id: contextId() }, ...start()] : withContext()

  return {
    speak: (text: string): StreamClientMessage[] =>
      text === '' ? [] : [...withNewText(), { event: 'text', context_id: contextId(), text }],
    flush(): StreamClientMessage[] {
      const before = withContext()
      waitingFlushes += 1
      return [...before, { event: 'flush', context_id: contextId() }]
    },
    clear(): StreamClientMessage[] {
      const before = withContext()
      state = 'none'
      return [...before, { event: 'cancel', context_id: contextId() }]
    },
    /** Ends the connection once all is spoken. */
    close(): StreamClientMessage[] {
      if (state === 'none') return [{ event: 'close' }]
      isClosing = true
      return [{ event: 'end', context_id: contextId() }]
    },
    /** Must be called with all that is sent, except errors. */
    follow(message: StreamServerMessage): void {
      if (!isCurrent(message)) return
      if (message.event === 'started' && state === 'starting') state = 'open'
      if (message.event === 'flushed') waitingFlushes -= 1
      if (message.event === 'flushed' && waitingFlushes === 0) state = 'flushed'
      if (message.event === 'done') state = 'none'
    },
    /** Must be called with the errors of contexts. Returns how many flushes the context leaves unanswered; undefined while it continues. */
    fail(error: Extract<StreamServerMessage, { event: 'error' }>): number | undefined {
      if (state !== 'starting' && isOfMessage(error.code)) return undefined
      if (!isCurrent(error)) return 0
      state = 'none'
      return waitingFlushes
    },
    endCode: (): number | undefined => (isClosing ? 1000 : undefined),
  }
}
