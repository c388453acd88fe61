import type { SynthesisChunk } from '@parlance/contracts'

type Done = Extract<SynthesisChunk, { event: 'done' }>

/**
 * The chunks of syntheses that follow one another, as if they were those of one: one `started`, one clock, segments and
 * audio numbered through. Each has a clock and numbers of its own, and ends with `done`, or is left between two of its
 * segments, from where the next goes on.
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
  let started = false
  let ttfaMs = 0
  let seq = 0
  /** In tenths of ms, which is finer than any engine means it; and whole, so that to change it takes no memory. */
  let clock = 0
  let segments = 0
  let characters = 0
  let withinSegment = false
  /** Where the present synthesis began. */
  let origin = 0
  let originSegment = 0
  let originCharacters = 0

  const atMs = (ms: number) => (origin + tenths(ms)) / 10
  const moved = <Timed extends { start_ms: number; end_ms: number }>(marks: readonly Timed[]): Timed[] =>
    marks.map((mark) => ({ ...mark, start_ms: atMs(mark.start_ms), end_ms: atMs(mark.end_ms) }))
  const goOn = () => {
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
          if (started) return undefined
          started = true
          ttfaMs = chunk.ttfa_ms
          return chunk
        case 'audio': {
          const start = origin + tenths(chunk.start_ms)
          clock = origin + tenths(chunk.start_ms + chunk.duration_ms)
          withinSegment = true
          return {
            event: 'audio',
            seq: seq++,
            segment: originSegment + chunk.segment,
            start_ms: start / 10,
            duration_ms: (clock - start) / 10,
            data: chunk.data,
          }
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
