import { type AudioJoin, joinableAudio, silentAudio } from '@parlance/audio'
import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { addMs, type PartOrigin, rebaseChunk } from './rebase-chunk.js'

type Audio = Extract<SynthesisChunk, { event: 'audio' }>
type Done = Extract<SynthesisChunk, { event: 'done' }>

/**
 * Places the chunks of consecutive syntheses on one clock, as if there were only one synthesis: one `started`, and segments
 * and audio numbered consecutively. Each synthesis has its own clock and numbers.
 */
export const createSpeechTimeline = () => {
  let output: AudioOutput | undefined
  let join: AudioJoin | undefined
  let sampleBytes: number | undefined
  let ttfaMs = 0
  let seq = 0
  let clockMs = 0
  /** Where the latest complete segment ended, with the pause before the next audio once that has begun. */
  let completeMs = 0
  let segments = 0
  /** How many segments have their alignment. */
  let aligned = 0
  let characters = 0
  let segmentHasAudio = false
  let synthesisHasAudio = false
  /** The pause after the latest segment; 0 when it had no audio, since the pause before it is already part of the audio. */
  let pauseMs = 0
  /** The silence with which the next audio must begin. */
  let owedMs = 0
  /** Where the current synthesis began. */
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

  /** Puts the pending pause before the audio, which moves the rest of its synthesis. */
  const afterPause = (audio: Audio): Audio => {
    const silence = output && silentAudio(output, owedMs)
    owedMs = 0
    if (silence === undefined || silence.durationMs === 0) return audio
    origin = { ...origin, ms: addMs(origin.ms, silence.durationMs) }
    completeMs = origin.ms
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
    /**
     * Returns the chunk on the common clock: `done` with the totals so far, and nothing for a `started` that is not the first.
     *
     * - After a `done` the next synthesis begins, and its audio begins with the pause after the last segment, in formats whose
     *   audio can be concatenated.
     * - A `started` before the `done` means that another worker continues the synthesis (`resumable-speech.ts`): it speaks the
     *   segments that are not complete. Returns nothing for the part of the first of them that was already placed.
     */
    place(chunk: SynthesisChunk): SynthesisChunk | undefined {
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
    /** Makes the pause before the next audio longer, between two syntheses with audio. */
    lengthenPause(ms: number): void {
      if (clockMs > 0) owedMs = addMs(owedMs, ms)
    },
    /** The totals so far. */
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
