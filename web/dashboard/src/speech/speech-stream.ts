/** The protocol of `/v1/tts/stream`, as far as the dashboard speaks it. */
import type { Problem } from '../api/problem.js'
import type { AlignedWord } from './spoken-words.js'

const protocol = 'awp.tts.v1'
const headerBytes = 12
/** Of one `text` message, in code points. */
const maxMessageCharacters = 4_000

export interface SpeechDone {
  readonly audio_duration_ms: number
  readonly characters_billed: number
  readonly ttfa_ms: number | null
}

export interface SpeechCancelled {
  readonly text_spoken: string
  readonly characters_billed: number
}

/** `done`, `cancelled` and `failed` end the speech. One of them is called, once. */
export interface SpeechListener {
  /** 16-bit samples. */
  audio(samples: Int16Array): void
  words(words: readonly AlignedWord[]): void
  done(message: SpeechDone): void
  cancelled(message: SpeechCancelled): void
  failed(problem: Problem): void
}

export interface SpeechRequest {
  readonly text: string
  readonly voiceId: string
  readonly variant: string
  readonly sampleRateHz: number
}

export interface SpeechStream {
  /** Whether it takes another text. */
  isOpen(): boolean
  close(): void
  /** `cancel` ends the speech; `playedMs` is what the person has listened to. */
  speak(request: SpeechRequest, listener: SpeechListener): { cancel(playedMs: number): void }
}

type ServerMessage =
  | { readonly event: 'ready' | 'draining' }
  | { readonly event: 'started'; readonly context_id: string; readonly context_index: number }
  | { readonly event: 'alignment'; readonly context_id: string; readonly words: readonly AlignedWord[] }
  | ({ readonly event: 'done'; readonly context_id: string } & SpeechDone)
  | ({ readonly event: 'cancelled'; readonly context_id: string } & SpeechCancelled)
  | ({ readonly event: 'error'; readonly context_id?: string } & Problem)

const connectionLost: Problem = {
  code: 'connection_lost',
  detail: 'The connection was lost. Speak again to open another.',
  retryable: true,
}

/** The text in pieces that a message can carry. */
const piecesOf = (text: string): string[] => {
  const characters = [...text]
  const count = Math.ceil(characters.length / maxMessageCharacters)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * maxMessageCharacters, (index + 1) * maxMessageCharacters).join(''),
  )
}

const streamUrl = (): URL => {
  const url = new URL('/v1/tts/stream', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  return url
}

/** Resolves when the server is ready. The stream speaks any number of texts. Rejects with a problem. */
export const openSpeechStream = (token: string): Promise<SpeechStream> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(streamUrl(), [protocol, `awp.token.${token}`])
    socket.binaryType = 'arraybuffer'
    const listeners = new Map<string, SpeechListener>()
    const idsByIndex = new Map<number, string>()
    let count = 0
    let isDraining = false

    const send = (message: object) => socket.send(JSON.stringify(message))

    const end = (id: string): SpeechListener | undefined => {
      const listener = listeners.get(id)
      listeners.delete(id)
      return listener
    }

    const stream: SpeechStream = {
      isOpen: () => socket.readyState === WebSocket.OPEN && !isDraining,
      close: () => socket.close(),
      speak({ text, voiceId, variant, sampleRateHz }, listener) {
        count += 1
        const context_id = `speech-${count}`
        listeners.set(context_id, listener)
        send({
          ...{ event: 'start', context_id, voice_id: voiceId, tts_variant: variant },
          ...{
            output: { format: 'pcm_s16le', sample_rate: sampleRateHz },
            audio_frames: 'binary',
            alignment: ['word'],
          },
        })
        for (const piece of piecesOf(text)) send({ event: 'text', context_id, text: piece })
        send({ event: 'end', context_id })
        return {
          cancel(playedMs) {
            if (listeners.has(context_id)) send({ event: 'cancel', context_id, played_ms: playedMs })
          },
        }
      },
    }

    const onMessage = (message: ServerMessage): void => {
      const { event } = message
      if (event === 'ready') resolve(stream)
      else if (event === 'started') idsByIndex.set(message.context_index, message.context_id)
      else if (event === 'alignment') listeners.get(message.context_id)?.words(message.words)
      else if (event === 'done') end(message.context_id)?.done(message)
      else if (event === 'cancelled') end(message.context_id)?.cancelled(message)
      else if (event === 'draining') isDraining = true
      else if (event === 'error' && message.context_id !== undefined) end(message.context_id)?.failed(message)
      else if (event === 'error') reject(message)
    }

    const onFrame = (frame: ArrayBuffer): void => {
      const header = new DataView(frame)
      if (header.getUint8(0) !== 1 || header.getUint8(1) !== 1) return
      const id = idsByIndex.get(header.getUint16(2))
      if (id !== undefined) listeners.get(id)?.audio(new Int16Array(frame, headerBytes))
    }

    socket.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? onMessage(JSON.parse(data)) : onFrame(data),
    )
    socket.addEventListener('close', () => {
      reject(connectionLost)
      for (const id of [...listeners.keys()]) end(id)?.failed(connectionLost)
    })
  })
