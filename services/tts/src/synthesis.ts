/**
 * From a request to its chunks: the text's segments are spoken in order, each while the one before it is still being
 * sent. At most two segments wait here however slowly the chunks are read, and an engine is only busy while it makes
 * sound. The pause that a segment's punctuation asks for begins the audio of the next. Leaving the loop, or aborting, stops the engine. `acceptedMs` is when the request came, from where its waiting
 * counts.
 */

import { codecDelayMs, msToSamples, samplesToMs } from '@parlance/audio'
import { createAudioEncoder } from '@parlance/audio/encoding'
import type { AudioOutput, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'
import { cutText, segmentText } from '@parlance/speech'
import { createAlignment, roundMs } from './alignment.js'
import type { AudioChunk } from './audio-chunks.js'
import { createAudioChunker } from './audio-chunks.js'
import type { Engine, SpeechEvent } from './engine/engine.js'
import { prefetched } from './prefetched.js'
import type { RequestedVoice } from './requested-voice.js'

/** Made once: an abort without a reason makes one, with its stack. */
const over = new Error('The synthesis is over.')

/** To encode a second in these takes longer than to speak it: what is ready leaves between two pieces. */
const compressed: ReadonlySet<AudioOutput['format']> = new Set(['mp3', 'opus'])
const mostCompressedAtOnce = 4096

export async function* synthesize(
  engine: Pick<Engine, 'sampleRateHz' | 'speak'>,
  request: SynthesisRequest,
  { voice, variant, language }: RequestedVoice,
  { signal, acceptedMs }: { signal: AbortSignal; acceptedMs: number },
): AsyncGenerator<SynthesisChunk> {
  const { text, cuts, output, speed, volume } = request
  let startedMs: number | undefined
  let onStarted = () => {}
  const started = new Promise<void>((resolve) => {
    onStarted = resolve
  })
  let ttfaMs = 0
  let seq = 0
  /** Owed to what was spoken, should anything follow. */
  let pauseMs = 0

  // Cheaper than a signal made of two, of which there would be one for every request.
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort, { once: true })
  const segments = cuts === null ? segmentText(text, language) : cutText(text, cuts)
  // There are some five of them for each word.
  const phonemes = request.alignment.some((kind) => kind !== 'word')
  const speak = (index: number) =>
    prefetched(
      engine.speak(
        { text: segments[index]!, voiceId: voice.id, variant, language, speed, volume, phonemes, ahead: index > 0 },
        {
          signal: stop.signal,
          onStart: () => {
            startedMs ??= performance.now()
            onStarted()
          },
        },
      ),
    )

  const first = speak(0)
  // An encoder takes up to half a megabyte, so a request that waits for an engine has none.
  await Promise.race([started, first.ready])
  const encoder = await createAudioEncoder({ output, inputSampleRateHz: engine.sampleRateHz }).catch((error) => {
    stop.abort(over)
    throw error
  })
  const chunker = createAudioChunker(encoder, engine.sampleRateHz)
  const mostAtOnce = compressed.has(output.format) ? mostCompressedAtOnce : Number.POSITIVE_INFINITY
  // What a decoder puts before the first sample moves everything that is heard.
  const delayMs = codecDelayMs(output)

  function* audio(chunks: AudioChunk[], segment: number): Generator<SynthesisChunk> {
    for (const { start_ms, duration_ms, data } of chunks) {
      if (seq === 0) {
        const nowMs = performance.now()
        ttfaMs = roundMs(nowMs - acceptedMs)
        const queueMs = roundMs((startedMs ?? acceptedMs) - acceptedMs)
        yield { event: 'started', output, queue_ms: queueMs, ttfa_ms: ttfaMs }
      }
      const from = roundMs(start_ms)
      const to = roundMs(start_ms + duration_ms)
      yield { event: 'audio', seq, segment, start_ms: from, duration_ms: roundMs(to - from), data }
      seq += 1
    }
  }

  try {
    let current: AsyncIterable<SpeechEvent> | undefined = first
    for (let segment = 0; current !== undefined; segment++) {
      const last = segment === segments.length - 1
      const silence = new Int16Array(msToSamples(pauseMs, engine.sampleRateHz))
      const offsetMs = chunker.positionMs() + samplesToMs(silence.length, engine.sampleRateHz) + delayMs
      const alignment = createAlignment(request.alignment, offsetMs)
      let sounds = false
      let segmentPauseMs = 0
      let next: AsyncIterable<SpeechEvent> | undefined
      const end = last ? chunker.finish : chunker.flush
      let complete = false
      for await (const event of current) {
        if (event.kind === 'marks') {
          alignment.add(event)
          segmentPauseMs = event.pauseMs ?? segmentPauseMs
        } else {
          if (!sounds) yield* audio(chunker.add(silence), segment)
          sounds = true
          let { pcm } = event
          for (; pcm.length > mostAtOnce; pcm = pcm.subarray(mostAtOnce)) {
            yield* audio(chunker.add(pcm.subarray(0, mostAtOnce)), segment)
          }
          complete = event.isLast === true
          yield* audio(complete ? end(pcm) : chunker.add(pcm), segment)
        }
        next ??= last ? undefined : speak(segment + 1)
      }
      // A segment of which nothing was heard, such as a row of dashes.
      next ??= last ? undefined : speak(segment + 1)
      // Who cuts a text himself cannot know of each part whether there is anything to say in it.
      if (last && cuts === null && chunker.positionMs() === 0) {
        throw new ServiceError('invalid_request', 'text: holds nothing that this voice can say')
      }
      if (!complete) yield* audio(end(), segment)
      if (request.alignment.length > 0) yield { event: 'alignment', segment, ...alignment.result() }
      // What is not heard leaves the pause before it.
      if (sounds) pauseMs = roundMs(segmentPauseMs)
      const characters = [...segments[segment]!].length
      yield { event: 'segment', segment, characters, ...(sounds && pauseMs > 0 && { pause_ms: pauseMs }) }
      current = next
    }
    yield {
      event: 'done',
      audio_duration_ms: roundMs(chunker.positionMs()),
      characters_billed: [...text].length,
      ttfa_ms: ttfaMs,
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort(over)
    encoder.finish()
  }
}
