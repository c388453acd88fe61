/**
 * One text on its way to become speech while it is still being written.
 *
 * - Segments are spoken in order on one clock, the next while this one is sent; those that wait together are asked for
 *   together, as a passage.
 * - Every passage is reserved for before it is spoken. A segment is paid for when all of it was sent; what was made ahead and
 *   never sent costs nothing.
 * - It ends once: with `done`, `cancelled` or `error`. Nothing of it is sent after that.
 */
import {
  type Alignment,
  ServiceError,
  type StreamServerMessage,
  type StreamStart,
  type SynthesisChunk,
  type SynthesisRequest,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import type { Flow } from '@parlance/flow'
import {
  countCodePoints,
  createSegmenter,
  createSegmentQueue,
  createSpeechRecord,
  cutText,
  maxPassageLength,
  type Passage,
  type Segment,
  speechStream,
} from '@parlance/speech'
import type { SpeechBill } from '@parlance/speech-client'
import type { SocketOutlet } from '../websocket/socket-outlet.js'
import { createPacedAudio } from './paced-audio.js'
import { createTextAllowance } from './text-allowance.js'

/** Audio that waits here for its turn: one reader that has stopped is one of many. */
const mostWaitingMs = 4_000

/** Speaks one passage. The bill is open when it resolves. */
export type SpeakPassage = (
  request: SynthesisRequest,
  options: {
    readonly characters: number
    /** Whether the client hears something meanwhile, so that this one has time. */
    readonly later: boolean
  },
) => Promise<{ bill: SpeechBill; speech: Flow<SynthesisChunk> }>

export interface StreamContextOptions {
  readonly index: number
  readonly start: StreamStart
  /** What is asked of the speech service for each passage, but for its text. */
  readonly request: SynthesisRequest
  readonly outlet: SocketOutlet<StreamServerMessage>
  readonly speakPassage: SpeakPassage
  /** Tells the client what ended the context. */
  onError(error: ServiceError): void
  /** It is over, in whichever way, and its slot is free. */
  onEnd(): void
  onFirstAudio(ttfaMs: number): void
}

/** Methods throw `ServiceError` for what cannot be done; the context goes on as if it had not been asked for. */
export interface StreamContext {
  text(text: string): void
  flush(flushId: string | undefined): void
  end(): void
  cancel(playedMs: number | undefined): void
  /** Ends it without a word. */
  abandon(): void
}

/** Made once: an abort without a reason makes one, with its stack. */
const contextOver = new Error('The context is over.')

/** A passage that is being spoken. */
interface Part extends Passage {
  /** Of its segments, those that were sent. */
  sentSegments: number
  bill?: SpeechBill
}

export const openStreamContext = (options: StreamContextOptions): StreamContext => {
  const { index, start, request, outlet, speakPassage, onError, onEnd, onFirstAudio } = options
  const { context_id: id, buffering } = start
  const segmenter = createSegmenter({
    language: request.language,
    mode: buffering.mode,
    maxDelayMs: buffering.max_delay_ms,
  })
  const allowance = createTextAllowance()
  const stop = new AbortController()
  const queue = createSegmentQueue({ joins: buffering.mode === 'auto', passageLength: maxPassageLength })
  /** In the order in which they are spoken. */
  const parts: Part[] = []
  const flushes: { flushId: string | undefined; atCharacters: number }[] = []
  const wanted = new Set(start.alignment)
  const audio = createPacedAudio({
    framed: { id, index, frames: start.audio_frames },
    outlet,
    signal: stop.signal,
    onFirst(nowMs) {
      ttfaMs = Math.round((nowMs - (firstQueuedMs ?? nowMs)) * 10) / 10
      onFirstAudio(ttfaMs)
    },
  })
  const { send: sendAudio } = audio
  const record = createSpeechRecord(audio.sentMs)

  let over = false
  let ended = false
  let begun = false
  let queuedCharacters = 0
  let sentCharacters = 0
  let lastTextMs = 0
  let firstQueuedMs: number | undefined
  let ttfaMs: number | null = null
  let timer: NodeJS.Timeout | undefined

  /** True for the first who ends it. */
  const finish = (): boolean => {
    if (over) return false
    over = true
    clearTimeout(timer)
    stop.abort(contextOver)
    for (const { bill } of parts) bill?.settle()
    onEnd()
    return true
  }

  const put = (segments: readonly Segment[]): void => {
    for (const { text, speakable } of segments) {
      queuedCharacters += countCodePoints(text)
      if (speakable) firstQueuedMs ??= performance.now()
    }
    queue.push(segments)
  }

  /** Those that are asked for, as they are. */
  const asked = async function* (): AsyncGenerator<Part> {
    for await (const passage of queue) {
      const part: Part = { ...passage, sentSegments: 0 }
      parts.push(part)
      for (const text of cutText(part.text, part.cuts)) record.add({ text, speakable: part.speakable })
      yield part
    }
  }

  const tellFlushes = (): void => {
    while (flushes[0] !== undefined && flushes[0].atCharacters <= sentCharacters) {
      const { flushId } = flushes.shift()!
      outlet.send({ event: 'flushed', context_id: id, ...(flushId !== undefined && { flush_id: flushId }) })
    }
  }

  /** Calls the segmenter when time alone may end a segment, and flushes what nobody goes on with. */
  const watchTime = (): void => {
    clearTimeout(timer)
    const waiting = allowance.taken() > queuedCharacters
    if (over || ended || !waiting) return
    const autoFlushMs = lastTextMs + streamLimits.auto_flush_ms
    const dueMs = Math.min(segmenter.dueMs ?? autoFlushMs, autoFlushMs)
    timer = setTimeout(
      () => {
        const nowMs = performance.now()
        put(nowMs >= autoFlushMs ? segmenter.flush() : segmenter.pass(nowMs))
        if (nowMs < autoFlushMs) watchTime()
      },
      Math.max(0, dueMs - performance.now()) + 1,
    )
  }

  const speak =
    (part: Part): Flow<SynthesisChunk> =>
    async (take, signal) => {
      // The next one is only asked for once this one has its first sound.
      const later = begun
      begun = true
      const text = part.text.toWellFormed()
      const { cuts } = part
      const { bill, speech } = await speakPassage(
        { ...request, text, cuts: [...cuts] },
        { characters: countCodePoints(text), later },
      )
      // Who ended it meanwhile has closed the bills that he could see.
      if (over) return bill.release()
      part.bill = bill
      await speech(take, signal)
    }

  const onlyWanted = ({ words, phonemes, visemes }: Alignment): Alignment => ({
    // Words are always asked for: they tell what was spoken when a context is cancelled.
    words: wanted.has('word') ? words : [],
    phonemes,
    visemes,
  })

  const deliver = (chunk: SynthesisChunk): void | Promise<void> => {
    if (over) return
    if (chunk.event === 'audio') return sendAudio(chunk)
    record.follow(chunk)
    switch (chunk.event) {
      case 'alignment':
        if (wanted.size > 0) {
          const { segment, ...alignment } = chunk
          outlet.send({ event: 'alignment', context_id: id, segment, ...onlyWanted(alignment) })
        }
        return
      case 'segment': {
        const part = parts[0]!
        part.bill?.passed(chunk)
        part.sentSegments += 1
        if (part.sentSegments > part.cuts.length) {
          part.bill?.settle()
          parts.shift()
        }
        sentCharacters += chunk.characters
        tellFlushes()
        return
      }
      case 'done':
        if (!finish()) return
        outlet.send({
          event: 'done',
          context_id: id,
          audio_duration_ms: chunk.audio_duration_ms,
          characters_billed: sentCharacters,
          ttfa_ms: ttfaMs,
        })
    }
  }

  const run = async (): Promise<void> => {
    try {
      await speechStream({ passages: asked(), synthesize: speak, maxWaitingMs: mostWaitingMs })(deliver, stop.signal)
    } catch (error) {
      if (finish()) onError(toServiceError(error))
    }
  }
  void run()

  const mustGoOn = () => {
    if (ended) throw new ServiceError('invalid_request', 'This context has been ended: start another.')
  }

  return {
    text(text) {
      mustGoOn()
      allowance.take(text, sentCharacters)
      lastTextMs = performance.now()
      put(segmenter.add(text, lastTextMs))
      watchTime()
    },
    flush(flushId) {
      mustGoOn()
      put(segmenter.flush())
      queue.part()
      flushes.push({ flushId, atCharacters: queuedCharacters })
      tellFlushes()
      watchTime()
    },
    end() {
      mustGoOn()
      ended = true
      clearTimeout(timer)
      put(segmenter.end())
      queue.end()
    },
    cancel(playedMs) {
      const heardMs = playedMs ?? audio.heardMs()
      if (!finish()) return
      for (const left of queue.left()) record.add(left)
      if (!ended) for (const left of segmenter.end()) record.add(left)
      const { spoken, remaining } = record.splitAt(heardMs)
      outlet.send({
        event: 'cancelled',
        context_id: id,
        characters_billed: sentCharacters,
        text_spoken: spoken,
        text_remaining: remaining,
      })
    },
    abandon: () => void finish(),
  }
}
