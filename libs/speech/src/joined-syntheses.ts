import { silentAudio } from '@parlance/audio'
import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'

type Audio = Extract<SynthesisChunk, { event: 'audio' }>
type Done = Extract<SynthesisChunk, { event: 'done' }>

/**
 * The chunks of syntheses that follow one another, as if they were those of one: one `started`, one clock, segments and
 * audio numbered through. Each has a clock and numbers of its own, and ends with `done`, or is left between two of its
 * segments, from where the next goes on. The audio of the next begins with the pause after the last segment, in formats whose
 * audio can be put together from pieces.
 */
export interface JoinedSyntheses {
  /** The chunk as the whole has it: `done` with what there was so far; nothing for a `started` that is not the first. */
  move(chunk: SynthesisChunk): SynthesisChunk | undefined
  /** What there was so far. */
  done(): Done
  /** Segments that are complete; undefined while there is a part of one. */
  segments(): number | undefined
  /** The present synthesis gives nothing more: what comes now is the next one's. */
  goOn(): void
}

export const createJoinedSyntheses = (): JoinedSyntheses => {
  let output: AudioOutput | undefined
  let ttfaMs = 0
  let seq = 0
  /** In tenths of ms, which is finer than any engine means it; and whole, so that to change it takes no memory. */
  let clock = 0
  let segments = 0
  let characters = 0
  let withinSegment = false
  /** After the last segment that had audio, and what of it the audio of the present synthesis is to begin with. */
  let pauseMs = 0
  let owedMs = 0
  /** Where the present synthesis began. */
  let origin = 0
  let originSegment = 0
  let originCharacters = 0

  const atMs = (ms: number) => (origin + tenths(ms)) / 10
  const moved = <Timed extends { start_ms: number; end_ms: number }>(marks: readonly Timed[]): Timed[] =>
    marks.map((mark) => ({ ...mark, start_ms: atMs(mark.start_ms), end_ms: atMs(mark.end_ms) }))
  /** The chunk with the pause before it, which moves all of its synthesis. `chunk` is on the clock of the whole already. */
  const afterPause = (chunk: Audio): Audio => {
    const silence = output === undefined ? undefined : silentAudio(output, owedMs)
    owedMs = 0
    if (silence === undefined || silence.durationMs === 0) return chunk
    origin += tenths(silence.durationMs)
    clock += tenths(silence.durationMs)
    const duration_ms = (tenths(chunk.duration_ms) + tenths(silence.durationMs)) / 10
    return { ...chunk, duration_ms, data: Buffer.concat([silence.bytes, chunk.data]) }
  }
  const goOn = () => {
    owedMs = pauseMs
    origin = clock
    originSegment = segments
    originCharacters = characters
  }
  const done = (): Done => ({
    event: 'done',
    audio_duration_ms: clock / 10,
    characters_billed: characters,
    ttfa_ms: ttfaMs,
  })

  return {
    move(chunk) {
      switch (chunk.event) {
        case 'started':
          if (output !== undefined) return undefined
          output = chunk.output
          ttfaMs = chunk.ttfa_ms
          return chunk
        case 'audio': {
          const start = origin + tenths(chunk.start_ms)
          clock = origin + tenths(chunk.start_ms + chunk.duration_ms)
          withinSegment = true
          const audio: Audio = {
            event: 'audio',
            seq: seq++,
            segment: originSegment + chunk.segment,
            start_ms: start / 10,
            duration_ms: (clock - start) / 10,
            data: chunk.data,
          }
          return owedMs === 0 ? audio : afterPause(audio)
        }
        case 'alignment': {
          const { words, phonemes, visemes } = chunk
          const onClock = { words: moved(words), phonemes: moved(phonemes), visemes: moved(visemes) }
          return { event: 'alignment', segment: originSegment + chunk.segment, ...onClock }
        }
        case 'segment': {
          const segment = originSegment + chunk.segment
          segments = segment + 1
          characters += chunk.characters
          // What is not heard leaves the pause before it.
          if (withinSegment) pauseMs = chunk.pause_ms ?? 0
          withinSegment = false
          return { ...chunk, segment }
        }
        case 'done':
          clock = origin + tenths(chunk.audio_duration_ms)
          characters = originCharacters + chunk.characters_billed
          goOn()
          return done()
      }
    },
    done,
    segments: () => (withinSegment ? undefined : segments),
    goOn,
  }
}

const tenths = (ms: number): number => Math.round(ms * 10)
