import { aborted, createPendingWork, createQueue, retry, settlesWithin } from '@parlance/async'
import { type DuplexPeer, type Handlers, receiveFile } from '@parlance/bus'
import {
  draining,
  knowsLanguage,
  type ListenInput,
  type ListenOutput,
  type ListenRequest,
  maxAudioFileBytes,
  ServiceError,
  type TranscriptionInput,
  type TranscriptionOutput,
  type TranscriptionRequest,
  type transcriptionContract,
} from '@parlance/contracts'
import type { Recognizer, Transcription } from '../stt/recognizer.js'
import type { OpenVoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import { createAudioReader, type ReadAudioFile } from './audio-reader.js'
import { createListenedAudio, createListening, wordsFrom } from './listening.js'
import type { CutUtterance } from './speech-cutter.js'
import { createTranscriptionTurns } from './transcription-turns.js'

/** The recognizers that a transcription chooses from. */
interface AvailableRecognizers {
  /** The best for a BCP 47 tag; undefined when none knows it. */
  findRecognizer(language: string): Recognizer | undefined
  /** All of them, the preferred first. */
  listRecognizers(): readonly Recognizer[]
}

interface ChosenRecognizer {
  readonly recognizer: Recognizer
  /** A BCP 47 tag. */
  readonly language: string
}

const defaultLanguage = 'en'

const unknownLanguage = (language: string, candidates: readonly Recognizer[]) => {
  const known = [...new Set(candidates.flatMap(({ languages }) => languages ?? []))].sort().join(', ')
  return new ServiceError('invalid_request', `language: "${language}" is not recognized here; there are: ${known}`)
}

/**
 * The recognizer and the language for a request. The default language is English if a recognizer knows it, else the main language
 * of the first recognizer. Throws `not_found` when there is no such recognizer or none at all, and `invalid_request` for an unknown
 * language.
 */
const recognizerFor = (
  { recognizer: name, language }: Pick<TranscriptionRequest, 'recognizer' | 'language'>,
  { findRecognizer, listRecognizers }: AvailableRecognizers,
): ChosenRecognizer => {
  const all = listRecognizers()
  const candidates = name === null ? all : all.filter((recognizer) => recognizer.name === name)
  const [first] = candidates
  if (first === undefined) {
    throw new ServiceError(
      'not_found',
      all.length === 0
        ? 'No speech recognizer is installed here.'
        : `model: there is no model "${name}"; GET /v1/models lists the models.`,
    )
  }
  const find = (tag: string) =>
    name === null ? findRecognizer(tag) : candidates.find(({ languages }) => knowsLanguage(languages, tag))
  const preferred = find(defaultLanguage) === undefined ? first.languages?.[0] : undefined
  const wanted = language ?? preferred ?? defaultLanguage
  const recognizer = find(wanted)
  if (recognizer === undefined) throw unknownLanguage(wanted, candidates)
  return { recognizer, language: wanted }
}

type TranscriptionPeer = DuplexPeer<TranscriptionInput, TranscriptionOutput>

/** Utterances of conversations may fill the queue of a recognizer for some time. */
const backoff = { firstMs: 250, maxMs: 2_000 }
const maxAttempts = 5
const isBusy = (error: unknown) => error instanceof ServiceError && error.code === 'capacity_exhausted'

/** Recognizers learn the voice of a `speaker` from one utterance to the next. */
const recognize = async (
  { recognizer, language }: ChosenRecognizer,
  { samples }: CutUtterance,
  speaker: object,
  signal: AbortSignal,
): Promise<Transcription> => {
  signal.throwIfAborted()
  const recognition = recognizer.open({ language, speaker, isRecording: true, onPartial: () => {} })
  const cancel = () => recognition.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    recognition.push(samples)
    return await recognition.finish()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

interface TranscriptionsOptions extends AvailableRecognizers {
  readonly openVoiceDetector: OpenVoiceDetector
  /** How many files are transcribed at once. */
  readonly limit: number
  /** The longest audio of a file. */
  readonly maxSeconds: number
  /** How long a file waits for its turn. Default 120,000. */
  readonly maxWaitMs?: number
  /** Default: a process for each file. */
  readonly readAudio?: ReadAudioFile
}

export interface Transcriptions {
  readonly handlers: Handlers<typeof transcriptionContract>
  /** Accepts no more files. Files in progress have this much time; then they fail with `draining`. */
  drain(limitMs: number): Promise<void>
}

/** Waiting files stay in the gateways that they were uploaded to, which limit their memory. */
const maxWaitingPerWorkspace = 100

/** The transcriptions of this process. */
export const createTranscriptions = ({
  limit,
  maxSeconds,
  maxWaitMs = 120_000,
  readAudio = createAudioReader({ maxDurationMs: maxSeconds * 1000 }),
  openVoiceDetector,
  ...recognizers
}: TranscriptionsOptions): Transcriptions => {
  const { listRecognizers } = recognizers
  const turns = createTranscriptionTurns({ limit, maxWaitingPerWorkspace, maxWaitMs })
  const stopped = new AbortController()
  const running = createPendingWork()
  let isDraining = false

  const transcribe = async (
    chosen: ChosenRecognizer,
    reportsProgress: boolean,
    peer: TranscriptionPeer,
    signal: AbortSignal,
  ): Promise<void> => {
    const input = createQueue<TranscriptionInput>()
    peer.receive(input.push).then(input.end, input.fail)
    const onProgress = (duration_ms: number) => {
      if (reportsProgress && !signal.aborted) void peer.send({ event: 'decoding', duration_ms })
    }
    const file = await receiveFile(input, maxAudioFileBytes, signal)
    const { durationMs, utterances } = await readAudio(file, signal, onProgress)
    peer.send({ event: 'decoded', duration_ms: durationMs, language: chosen.language })
    const wish = await input.take(signal)
    signal.throwIfAborted()
    if (wish?.kind !== 'recognize') return
    const speaker = {}
    for (const utterance of utterances) {
      const transcription = await retry(() => recognize(chosen, utterance, speaker, signal), {
        backoff,
        maxAttempts,
        signal,
        shouldRetry: isBusy,
      })
      const { startMs, endMs } = utterance
      const text = transcription.text.trim()
      if (text === '') continue
      const words = wordsFrom(startMs, transcription)
      await peer.send({ event: 'segment', start_ms: startMs, end_ms: endMs, text, ...words })
    }
    peer.send({ event: 'done' })
  }

  const listen = async (
    request: ListenRequest,
    peer: DuplexPeer<ListenInput, ListenOutput>,
    signal: AbortSignal,
  ): Promise<void> => {
    const { recognizer, language } = recognizerFor(request, recognizers)
    const cool = recognizer.keepWarm?.()
    const failed = new AbortController()
    const listening = createListening({
      recognizer,
      language,
      detector: openVoiceDetector(),
      onEvent: (event) => void peer.send(event),
      onFailure: (error) => failed.abort(error),
    })
    try {
      const toSamples = createListenedAudio(request)
      peer.send({ event: 'started', recognizer: recognizer.name, language })
      const received = peer.receive((chunk) => {
        if (chunk.kind === 'audio') return listening.push(toSamples(chunk.data))
        listening.finalize()
        if (request.finalized) void listening.reported().then(() => peer.send({ event: 'finalized' }))
      })
      const over = aborted(AbortSignal.any([signal, failed.signal]))
      await Promise.race([received, over])
      listening.finalize()
      await Promise.race([listening.reported(), over])
      signal.throwIfAborted()
      failed.signal.throwIfAborted()
    } finally {
      listening.cancel()
      cool?.()
    }
  }

  return {
    handlers: {
      async listen(request, { signal }, peer) {
        if (isDraining) throw draining()
        const end = running.begin()
        try {
          await listen(request, peer, AbortSignal.any([signal, stopped.signal]))
        } finally {
          end()
        }
      },
      async transcribe(request, { signal }, peer) {
        if (isDraining) throw draining()
        const end = running.begin()
        try {
          const work = AbortSignal.any([signal, stopped.signal])
          const chosen = recognizerFor(request, recognizers)
          const endTurn = await turns.take(request.workspace_id, work)
          await transcribe(chosen, request.progress === true, peer, work).finally(endTurn)
        } finally {
          end()
        }
      },
      listRecognizers: () => ({
        recognizers: listRecognizers().map(({ name, languages, isSlow }) => ({
          name,
          languages: languages === undefined ? null : [...languages],
          is_slow: isSlow === true,
        })),
      }),
    },
    async drain(limitMs) {
      isDraining = true
      const hasEnded = await settlesWithin(running.allDone(), limitMs)
      if (!hasEnded) stopped.abort(draining())
    },
  }
}
