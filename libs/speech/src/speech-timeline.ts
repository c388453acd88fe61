import { type AudioJoin, joinableAudio, silentAudio } from '@parlance/audio'
import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { addMs, type PartOrigin, rebaseChunk } from './rebase-chunk.js'

type Audio = Extract<SynthesisChunk, { event: 'audio' }>
type Done = Extract<SynthesisChunk, { event: 'done' }>

/**
 * Places the chunks of syntheses that follow one another on one clock, as if they were those of one: one `started`,
 * segments and audio numbered through. Each synthesis has a clock and numbers of its own.
 */
export interface SpeechTimeline {
  /**
   * Returns the chunk as the whole has it: `done` with the totals so far, and nothing for a `started` that is not the first.
   *
   * - After a `done` the next synthesis begins, and its audio begins with the pause after the last segment, in formats whose
   *   audio can be put together from pieces.
   * - A `started` before the `done` means that another worker continues the synthesis (`resumable-speech.ts`): it speaks the
   *   segments that are not complete. Returns nothing for what was placed of the first of them before.
   */
  place(chunk: SynthesisChunk): SynthesisChunk | undefined
  /** Makes the pause before the next audio longer, between two syntheses with audio. */
  lengthenPause(ms: number): void
  /** The totals so far. */
  done(): Done
}

/** A timeline at 0 ms, for syntheses that follow each other in one audio. */
export const createSpeechTimeline = (): SpeechTimeline => {
  let output: AudioOutput | undefined
  let join: AudioJoin | undefined
  let sampleBytes: number | undefined
  let ttfaMs = 0
  let seq = 0
  let clockMs = 0
  /** Where the latest complete segment ended. */
  let completeMs = 0
  let segments = 0
  /** How many segments have their alignment. */
  let aligned = 0
  let characters = 0
  let segmentHasAudio = false
  let synthesisHasAudio = false
  /** After the latest segment; 0 when that had no audio, since the pause before it is part of the audio. */
  let pauseMs = 0
  /** What the next audio is to begin with. */
  let owedMs = 0
  /** Where the present synthesis began. */
  let origin: PartOrigin = { ms: 0, segment: 0 }

  const beginSynthesis = () => {
    origin = { ms: completeMs, segment: segments }
  }
  const done = (): Done => ({
    event: 'done',
    audio_duration_ms: clockMs,
    characters_billed: characters,
    ttfa_ms: ttfaMs,
  })

  /** Puts the owed pause before the audio, and so moves all that follows of its synthesis. */
  const afterPause = (audio: Audio): Audio => {
    const silence = output && silentAudio(output, owedMs)
    owedMs = 0
    if (silence === undefined || silence.durationMs === 0) return audio
    origin = { ...origin, ms: addMs(origin.ms, silence.durationMs) }
    return {
      ...audio,
      duration_ms: addMs(audio.duration_ms, silence.durationMs),
      data: Buffer.concat([silence.bytes, audio.data]),
    }
  }

  const placeAudio = (chunk: Audio): Audio | undefined => {
    let audio = rebaseChunk(chunk, origin)
    if (owedMs > 0) audio = afterPause(audio)
    if (join !== undefined) audio.data = join.join(audio.data)
    if (audio.start_ms < clockMs && sampleBytes !== undefined) {
      audio = withoutStart(audio, clockMs, sampleBytes)
      if (audio.data.length === 0) return undefined
    }
    join?.sent(audio.data)
    clockMs = addMs(audio.start_ms, audio.duration_ms)
    segmentHasAudio = true
    synthesisHasAudio = true
    audio.seq = seq
    seq += 1
    return audio
  }

  return {
    place(chunk) {
      switch (chunk.event) {
        case 'started':
          if (output !== undefined) {
            if (synthesisHasAudio) join?.beginNext()
            beginSynthesis()
            return undefined
          }
          output = chunk.output
          join = joinableAudio(output)?.createJoin()
          sampleBytes = joinableAudio(output)?.sampleBytes
          ttfaMs = chunk.ttfa_ms
          return chunk
        case 'audio':
          return placeAudio(chunk)
        case 'alignment': {
          const alignment = rebaseChunk(chunk, origin)
          if (alignment.segment < aligned) return undefined
          aligned = alignment.segment + 1
          return alignment
        }
        case 'segment':
          completeMs = clockMs
          segments = origin.segment + chunk.segment + 1
          characters += chunk.characters
          pauseMs = segmentHasAudio ? (chunk.pause_ms ?? 0) : 0
          segmentHasAudio = false
          return rebaseChunk(chunk, origin)
        case 'done':
          if (synthesisHasAudio) owedMs = pauseMs
          synthesisHasAudio = false
          completeMs = clockMs
          beginSynthesis()
          return done()
      }
    },
    lengthenPause(ms) {
      if (clockMs > 0) owedMs = addMs(owedMs, ms)
    },
    done,
  }
}

/** What of the audio is from `fromMs` on. */
const withoutStart = (audio: Audio, fromMs: number, sampleBytes: number): Audio => {
  const skippedMs = Math.min(audio.duration_ms, addMs(fromMs, -audio.start_ms))
  const samples = Math.round((skippedMs / audio.duration_ms) * (audio.data.length / sampleBytes))
  return {
    ...audio,
    start_ms: fromMs,
    duration_ms: addMs(audio.duration_ms, -skippedMs),
    data: audio.data.subarray(samples * sampleBytes),
  }
}
