/**
 * One text on its way to become speech while it is still being written.
 *
 * - Segments are spoken in order on one clock, the next while this one is sent; those that wait together are asked for
 *   together, as a passage.
 * - Every passage is reserved for before it is spoken. What was sent is paid for: all of a segment whose audio was sent whole,
 *   and of one in progress, when the client cancels or leaves, the text up to the end of the word that the audio reached.
 *   What was made ahead and never sent costs nothing, nor does a segment that fails.
 * - It ends once: with `done`, `cancelled` or `error`. Nothing of it is sent after that.
 */

import type { PushStream } from '@parlance/async/push-stream'
import type { SpeechBill } from '@parlance/clients/speech'
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
  unspoken,
} from '@parlance/speech'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
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
) => Promise<{ bill: SpeechBill; speech: PushStream<SynthesisChunk> }>

export interface StreamContextOptions {
  readonly index: number
  readonly start: StreamStart
  /** What is asked of the speech service for each passage, but for its text. */
  readonly request: SynthesisRequest
  /** In which the voice speaks: the text is segmented by its rules. */
  readonly language: string
  readonly outlet: OutboundQueue<StreamServerMessage>
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
  readonly characters: number
  /** Of its segments, those that were sent. */
  sentSegments: number
  bill?: SpeechBill
}

/** How a context ends: all of it was sent, the client stopped it, or it failed. */
type ContextEnd = 'done' | 'stopped' | 'failed'

export const openStreamContext = (options: StreamContextOptions): StreamContext => {
  const { index, start, request, outlet, speakPassage, onError, onEnd, onFirstAudio } = options
  const { context_id: id, buffering } = start
  const segmenter = createSegmenter({
    language: options.language,
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
  const record = createSpeechRecord({ sentMs: audio.sentMs, speed: start.speed })

  let over = false
  let ended = false
  let begun = false
  let queuedCharacters = 0
  /** Of the segments that were sent whole, and of the parts among them whose bills are settled. */
  let sentCharacters = 0
  let settledCharacters = 0
  let lastTextMs = 0
  let firstQueuedMs: number | undefined
  let ttfaMs: number | null = null
  let timer: NodeJS.Timeout | undefined

  const settlePart = (deliveredCharacters: number): void => {
    const { bill, characters } = parts.shift()!
    bill?.settle(Math.min(Math.max(0, deliveredCharacters - settledCharacters), characters))
    settledCharacters += characters
  }

  /** Ends it and returns the code points that were delivered; undefined when it was over before. */
  const finish = (how: ContextEnd): number | undefined => {
    if (over) return undefined
    over = true
    clearTimeout(timer)
    stop.abort(contextOver)
    const deliveredCharacters = how === 'stopped' ? record.delivered() : sentCharacters
    while (parts.length > 0) settlePart(deliveredCharacters)
    onEnd()
    return deliveredCharacters
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
      const part: Part = { ...passage, characters: countCodePoints(passage.text), sentSegments: 0 }
      parts.push(part)
      for (const text of cutText(part.text, part.cuts)) record.add({ text })
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
    (part: Part): PushStream<SynthesisChunk> =>
    async (take, signal) => {
      // The next one is only asked for once this one has its first sound.
      const later = begun
      begun ||= part.speakable
      const { cuts, characters } = part
      const { bill, speech } = await speakPassage(
        { ...request, text: part.text.toWellFormed(), cuts: [...cuts] },
        { characters, later },
      )
      // The end of the context settled the bills that were open then.
      if (over) return void bill.settle(0)
      part.bill = bill
      await (part.speakable ? speech : unspoken(part))(take, signal)
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
        part.sentSegments += 1
        sentCharacters += chunk.characters
        if (part.sentSegments > part.cuts.length) settlePart(sentCharacters)
        tellFlushes()
        return
      }
      case 'done':
        outlet.send({
          event: 'done',
          context_id: id,
          audio_duration_ms: chunk.audio_duration_ms,
          characters_billed: finish('done')!,
          ttfa_ms: ttfaMs,
        })
    }
  }

  const run = async (): Promise<void> => {
    try {
      await speechStream({ passages: asked(), synthesize: speak, maxWaitingMs: mostWaitingMs })(deliver, stop.signal)
    } catch (error) {
      if (finish('failed') !== undefined) onError(toServiceError(error))
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
      const deliveredCharacters = finish('stopped')
      if (deliveredCharacters === undefined) return
      for (const left of queue.left()) record.add(left)
      if (!ended) for (const left of segmenter.end()) record.add(left)
      const { spoken, remaining } = record.splitAt(heardMs)
      outlet.send({
        event: 'cancelled',
        context_id: id,
        characters_billed: deliveredCharacters,
        text_spoken: spoken,
        text_remaining: remaining,
      })
    },
    abandon: () => void finish('stopped'),
  }
}
