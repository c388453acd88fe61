/**
 * `@parlance/client/speech`: streaming speech in a browser. Text goes in as it is written, and audio comes out as it is
 * synthesized, with the times of its words, over one connection (`WS /v1/tts/stream`).
 */
import { setAudioSession } from './agent-audio.js'
import type { TimedViseme, TimedWord } from './client-events.js'
import { ParlanceError } from './parlance-error.js'
import { fetchToken } from './session-api.js'

export { ParlanceError, type TimedViseme, type TimedWord }

export interface SpeechClientOptions {
  /** Returns a fresh stream token from your own backend, which keeps the key. Called for each connection. */
  readonly streamToken: () => string | Promise<string>
  /** The origin of the API, such as `https://voice.example.com`. Default: the page's own origin. */
  readonly apiOrigin?: string
}

export interface SpeechRequest {
  /** The whole text, or its parts as they are written, such as by a language model. */
  readonly text: string | AsyncIterable<string>
  readonly voiceId: string
  /** Default: the first variant of the voice. */
  readonly ttsVariant?: string
  /** A tag such as `de`. Default: the first language of the voice. */
  readonly language?: string
  /** From 0.5 to 2. */
  readonly speed?: number
  /** Default 24000. */
  readonly sampleRateHz?: number
  /** The kinds of times to receive. Default: `word`. */
  readonly alignment?: readonly ('word' | 'phoneme' | 'viseme')[]
}

/** A part of a speech. All times are in ms from its first sample, and continue over its sentences. */
export type SpeechPart =
  /** 16-bit samples of one channel. */
  | { readonly type: 'audio'; readonly samples: Int16Array<ArrayBuffer>; readonly startMs: number }
  | {
      readonly type: 'alignment'
      readonly words: readonly TimedWord[]
      readonly phonemes: readonly TimedWord[]
      readonly visemes: readonly TimedViseme[]
    }

/** How a speech ended. */
export type SpeechEnd =
  | {
      readonly type: 'done'
      readonly audioDurationMs: number
      readonly charactersBilled: number
      /** How long the service took to the first audio; null without audio. */
      readonly ttfaMs: number | null
    }
  | {
      readonly type: 'cancelled'
      readonly charactersBilled: number
      readonly textSpoken: string
      readonly textRemaining: string
    }

/**
 * The parts of one speech as they arrive, for one loop. The loop ends with the speech, and throws a `ParlanceError`. Leaving it
 * with `break` cancels the speech.
 */
export interface Speech extends AsyncIterable<SpeechPart> {
  /** Resolves when the service has ended the speech. Rejects with a `ParlanceError`. */
  readonly ended: Promise<SpeechEnd>
  /** Ends the speech and its loop. `playedMs`, of its audio, is what the user has listened to: only that is billed. */
  cancel(playedMs?: number): void
}

/** Speaks texts over one connection, which is opened when it is needed, and again after it was closed. */
export interface SpeechClient {
  /** Opens the connection, so that the first speech does not wait for it. Rejects with a `ParlanceError`. */
  connect(): Promise<void>
  /** Speeches may overlap: at most 10 at a time. */
  speak(request: SpeechRequest): Speech
  /** Closes the connection. Speeches in progress fail. */
  close(): void
}

const protocol = 'awp.tts.v1'
const tokenPrefix = 'awp.token.'
const headerBytes = 12
/** Of one `text` message, in code points. */
const maxMessageCharacters = 4_000
/** Parts of a text that come faster than this are sent together: the service takes 200 messages a second. */
const textIntervalMs = 20

type ServerMessage =
  | { readonly event: 'ready' | 'draining' }
  | { readonly event: 'started'; readonly context_id: string; readonly context_index: number }
  | ({ readonly event: 'alignment'; readonly context_id: string } & Omit<
      Extract<SpeechPart, { type: 'alignment' }>,
      'type'
    >)
  | {
      readonly event: 'done'
      readonly context_id: string
      readonly audio_duration_ms: number
      readonly characters_billed: number
      readonly ttfa_ms: number | null
    }
  | {
      readonly event: 'cancelled'
      readonly context_id: string
      readonly characters_billed: number
      readonly text_spoken: string
      readonly text_remaining: string
    }
  | {
      readonly event: 'error'
      readonly context_id?: string
      readonly code: string
      readonly detail: string
      readonly retryable: boolean
      readonly request_id: string
    }

const errorOf = ({ code, detail, retryable, request_id }: Extract<ServerMessage, { event: 'error' }>) =>
  new ParlanceError(code, detail, { retryable, requestId: request_id })

/** The text in parts that a message can carry. */
const partsOf = (text: string): string[] => {
  const characters = [...text]
  const count = Math.ceil(characters.length / maxMessageCharacters)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * maxMessageCharacters, (index + 1) * maxMessageCharacters).join(''),
  )
}

/** A speech, as the connection sees it. */
interface OpenSpeech {
  readonly request: SpeechRequest
  receive(part: SpeechPart): void
  end(how: SpeechEnd | ParlanceError): void
}

interface Connection {
  isOpen(): boolean
  /** Returns a function that cancels it. */
  speak(speech: OpenSpeech): (playedMs: number | undefined) => void
  close(): void
}

/** Resolves when the service is ready. */
const openConnection = (origin: string, token: string): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const url = `${origin.replace(/^http/, 'ws')}/v1/tts/stream`
    const socket = new WebSocket(url, [protocol, `${tokenPrefix}${token}`])
    socket.binaryType = 'arraybuffer'
    const speeches = new Map<string, OpenSpeech>()
    const byIndex = new Map<number, OpenSpeech>()
    let count = 0
    let isDraining = false
    let failure = new ParlanceError('network_error', 'The connection was lost. Speak again to open another.', {
      retryable: true,
    })

    const send = (message: object): void => socket.send(JSON.stringify(message))
    const end = (id: string, how: SpeechEnd | ParlanceError): void => {
      const speech = speeches.get(id)
      speeches.delete(id)
      for (const [index, one] of byIndex) if (one === speech) byIndex.delete(index)
      speech?.end(how)
    }

    const sendText = async (context_id: string, text: SpeechRequest['text']): Promise<void> => {
      let waiting = ''
      let timer: ReturnType<typeof setTimeout> | undefined
      let mayBeSentMs = 0
      const sendWaiting = (): void => {
        clearTimeout(timer)
        timer = undefined
        mayBeSentMs = performance.now() + textIntervalMs
        for (const part of speeches.has(context_id) ? partsOf(waiting) : []) {
          send({ event: 'text', context_id, text: part })
        }
        waiting = ''
      }
      if (typeof text === 'string') waiting = text
      else {
        for await (const part of text) {
          // Leaving the loop ends the writer of the text.
          if (!speeches.has(context_id)) break
          waiting += part
          if (performance.now() >= mayBeSentMs) sendWaiting()
          else timer ??= setTimeout(sendWaiting, textIntervalMs)
        }
      }
      sendWaiting()
      if (speeches.has(context_id)) send({ event: 'end', context_id })
    }

    const connection: Connection = {
      isOpen: () => socket.readyState === WebSocket.OPEN && !isDraining,
      close: () => socket.close(),
      speak(speech) {
        const {
          text,
          voiceId,
          ttsVariant,
          language,
          speed,
          sampleRateHz = 24_000,
          alignment = ['word'],
        } = speech.request
        count += 1
        const context_id = `speech-${count}`
        const cancel = (played_ms: number | undefined): void => {
          if (speeches.has(context_id)) send({ event: 'cancel', context_id, played_ms })
        }
        speeches.set(context_id, speech)
        send({
          ...{ event: 'start', context_id, voice_id: voiceId, tts_variant: ttsVariant, language, speed, alignment },
          output: { format: 'pcm_s16le', sample_rate: sampleRateHz },
          audio_frames: 'binary',
        })
        sendText(context_id, text).catch((cause: unknown) => {
          cancel(undefined)
          end(context_id, new ParlanceError('invalid_options', 'The writer of the text threw an error.', { cause }))
        })
        return cancel
      },
    }

    const onMessage = (message: ServerMessage): void => {
      switch (message.event) {
        case 'ready':
          resolve(connection)
          break
        case 'started': {
          const speech = speeches.get(message.context_id)
          if (speech !== undefined) byIndex.set(message.context_index, speech)
          break
        }
        case 'alignment': {
          const { context_id, words, phonemes, visemes } = message
          speeches.get(context_id)?.receive({ type: 'alignment', words, phonemes, visemes })
          break
        }
        case 'done': {
          const { audio_duration_ms: audioDurationMs, characters_billed: charactersBilled, ttfa_ms: ttfaMs } = message
          end(message.context_id, { type: 'done', audioDurationMs, charactersBilled, ttfaMs })
          break
        }
        case 'cancelled': {
          const {
            characters_billed: charactersBilled,
            text_spoken: textSpoken,
            text_remaining: textRemaining,
          } = message
          end(message.context_id, { type: 'cancelled', charactersBilled, textSpoken, textRemaining })
          break
        }
        case 'draining':
          isDraining = true
          break
        case 'error':
          if (message.context_id !== undefined) end(message.context_id, errorOf(message))
          // It ends the connection.
          else failure = errorOf(message)
      }
    }
    const onFrame = (frame: ArrayBuffer): void => {
      const header = new DataView(frame)
      if (header.getUint8(0) !== 1 || header.getUint8(1) !== 1) return
      const samples = new Int16Array(frame, headerBytes)
      byIndex.get(header.getUint16(2))?.receive({ type: 'audio', samples, startMs: header.getUint32(8) })
    }

    socket.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? onMessage(JSON.parse(data)) : onFrame(data),
    )
    socket.addEventListener('close', () => {
      reject(failure)
      for (const id of [...speeches.keys()]) end(id, failure)
    })
  })

/** `connection` resolves when the speech may begin. */
const openSpeech = (request: SpeechRequest, connection: Promise<Connection>): Speech => {
  const parts: SpeechPart[] = []
  let how: SpeechEnd | ParlanceError | undefined
  let cancelled: { readonly playedMs: number | undefined } | undefined
  let cancelAtService: ((playedMs: number | undefined) => void) | undefined
  let wake = () => {}
  let settle: (how: SpeechEnd | ParlanceError) => void
  const ended = new Promise<SpeechEnd>((resolve, reject) => {
    settle = (given) => (given instanceof ParlanceError ? reject(given) : resolve(given))
  })
  // The loop throws the error too, and a page may need only one of them.
  ended.catch(() => {})

  const end = (given: SpeechEnd | ParlanceError): void => {
    how ??= given
    settle(how)
    wake()
  }
  const receive = (part: SpeechPart): void => {
    if (cancelled === undefined) parts.push(part)
    wake()
  }
  connection.then(
    (open) => {
      if (cancelled === undefined) cancelAtService = open.speak({ request, receive, end })
    },
    (error: ParlanceError) => end(error),
  )

  const cancel = (playedMs?: number): void => {
    if (cancelled !== undefined || how !== undefined) return
    cancelled = { playedMs }
    parts.length = 0
    if (cancelAtService !== undefined) cancelAtService(playedMs)
    else {
      const textRemaining = typeof request.text === 'string' ? request.text : ''
      end({ type: 'cancelled', charactersBilled: 0, textSpoken: '', textRemaining })
    }
    wake()
  }

  return {
    ended,
    cancel,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const part = parts.shift()
          if (part !== undefined) yield part
          else if (how instanceof ParlanceError) throw how
          else if (how !== undefined || cancelled !== undefined) return
          else {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        cancel()
      }
    },
  }
}

/** Does no I/O until `connect` or `speak`. */
export const createSpeechClient = ({ streamToken, apiOrigin }: SpeechClientOptions): SpeechClient => {
  const origin = (apiOrigin ?? location.origin).replace(/\/+$/, '')
  let current: Promise<Connection> | undefined
  let opened: Connection | undefined

  const connect = (): Promise<Connection> => {
    if (current !== undefined && (opened === undefined || opened.isOpen())) return current
    opened = undefined
    const opening = fetchToken('streamToken', streamToken).then((token) => openConnection(origin, token))
    current = opening
    opening.then(
      (connection) => {
        if (current === opening) opened = connection
        else connection.close()
      },
      () => {
        if (current === opening) current = undefined
      },
    )
    return opening
  }

  return {
    connect: async () => void (await connect()),
    speak: (request) => openSpeech(request, connect()),
    close() {
      opened?.close()
      opened = undefined
      current = undefined
    },
  }
}

/** Plays samples as they arrive, one part after the other on the clock of the sound card. */
export interface AudioPlayer {
  /** Lets the browser play. Call it from a click or a key press: early, since opening the sound card takes a while. */
  resume(): Promise<void>
  /** Plays 16-bit samples after those before. Returns the time in seconds until they begin. */
  play(samples: Int16Array): number
  /** How much audio it was given since `clear`. */
  queuedMs(): number
  /**
   * The position that plays now, on the clock of the samples. Where samples come too late there is a gap, and the position
   * waits.
   */
  positionMs(): number
  /** Resolves when everything it was given has been played, or was cleared. */
  played(): Promise<void>
  /** Stops playback, and begins at 0 again. */
  clear(): void
  /** Frees the sound card. */
  close(): void
}

/** The lead time for the first part, and for the first after a gap. */
const leadSeconds = 0.03

export const createAudioPlayer = ({ sampleRateHz = 24_000 }: { readonly sampleRateHz?: number } = {}): AudioPlayer => {
  // The mute switch of iOS does not silence it.
  setAudioSession('playback')
  const context = new AudioContext({ sampleRate: sampleRateHz })
  const sources = new Set<AudioBufferSourceNode>()
  let starts: { readonly atSeconds: number; readonly startMs: number }[] = []
  let endsAtSeconds = 0
  let queuedSamples = 0
  const waiting: (() => void)[] = []
  const queuedMs = () => (queuedSamples / sampleRateHz) * 1_000
  const whenSilent = (): void => {
    if (sources.size > 0) return
    for (const resolve of waiting.splice(0)) resolve()
  }

  const clear = (): void => {
    for (const source of sources) {
      source.stop()
      source.disconnect()
    }
    sources.clear()
    starts = []
    queuedSamples = 0
    endsAtSeconds = 0
    whenSilent()
  }

  return {
    resume: () => context.resume(),
    clear,
    play(samples) {
      const buffer = context.createBuffer(1, samples.length, sampleRateHz)
      buffer.copyToChannel(
        Float32Array.from(samples, (sample) => sample / 32_768),
        0,
      )
      const source = context.createBufferSource()
      source.buffer = buffer
      source.connect(context.destination)
      source.onended = () => {
        sources.delete(source)
        whenSilent()
      }
      sources.add(source)

      const now = context.currentTime
      const atSeconds = endsAtSeconds < now ? now + leadSeconds : endsAtSeconds
      source.start(atSeconds)
      starts.push({ atSeconds, startMs: queuedMs() })
      queuedSamples += samples.length
      endsAtSeconds = atSeconds + samples.length / sampleRateHz
      return atSeconds - now
    },
    queuedMs,
    positionMs() {
      const now = context.currentTime - (context.outputLatency || 0)
      while (starts[1] !== undefined && starts[1].atSeconds <= now) starts.shift()
      const [start, next] = starts
      if (start === undefined || now < start.atSeconds) return start?.startMs ?? 0
      return Math.min(next?.startMs ?? queuedMs(), start.startMs + (now - start.atSeconds) * 1_000)
    },
    played: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        whenSilent()
      }),
    close() {
      clear()
      setAudioSession('auto')
      void context.close()
    },
  }
}

/** A part of a text, from a code unit to the one after its last. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

export interface SpokenWords {
  add(words: readonly TimedWord[]): void
  /** The place of the word at a position, until the next word begins. */
  at(positionMs: number): TextRange | undefined
  /** The length of the text whose words had ended then. */
  lengthAt(positionMs: number): number
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** How many letters may lie between a word and the one before: a voice may say `twenty` for `20`. */
const minReachLetters = 24

/** Finds the words of the audio, which come in order, in the text from which they were spoken. */
const createFinder = (text: string) => {
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  let from = 0
  let reach = minReachLetters
  return (word: string): TextRange | undefined => {
    const at = lower.indexOf(word.toLowerCase(), from)
    if (word === '' || at === -1 || lettersIn(lower.slice(from, at)) > reach) {
      reach += 2 * word.length
      return undefined
    }
    from = at + word.length
    reach = minReachLetters
    return { from: at, to: from }
  }
}

/** The places in a text of the words of its audio, to highlight them as they are played. */
export const createSpokenWords = (text: string): SpokenWords => {
  const find = createFinder(text)
  const placed: (TextRange & { readonly startMs: number; readonly endMs: number })[] = []
  return {
    add(words) {
      for (const { text: word, start_ms: startMs, end_ms: endMs } of words) {
        const range = find(word)
        if (range !== undefined) placed.push({ ...range, startMs, endMs })
      }
    },
    at: (positionMs) => placed.findLast(({ startMs }) => startMs <= positionMs),
    lengthAt: (positionMs) => placed.findLast(({ endMs }) => endMs <= positionMs)?.to ?? 0,
  }
}
