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
  /** A field, since it changes with each frame: as a variable it would be new memory each time. */
  const clock = { ms: 0 }
  let segments = 0
  let characters = 0
  let withinSegment = false
  /** Where the present synthesis began. */
  let originMs = 0
  let originSegment = 0
  let originCharacters = 0

  const atMs = (ms: number) => roundMs(originMs + ms)
  const moved = <Timed extends { start_ms: number; end_ms: number }>(marks: readonly Timed[]): Timed[] =>
    marks.map((mark) => ({ ...mark, start_ms: atMs(mark.start_ms), end_ms: atMs(mark.end_ms) }))
  const goOn = () => {
    originMs = clock.ms
    originSegment = segments
    originCharacters = characters
  }
  const done = (): Done => ({
    event: 'done',
    audio_duration_ms: roundMs(clock.ms),
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
          clock.ms = originMs + chunk.start_ms + chunk.duration_ms
          withinSegment = true
          const segment = originSegment + chunk.segment
          const start_ms = atMs(chunk.start_ms)
          const duration_ms = roundMs(roundMs(clock.ms) - start_ms)
          return { event: 'audio', seq: seq++, segment, start_ms, duration_ms, data: chunk.data }
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
          clock.ms = originMs + chunk.audio_duration_ms
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

/** A tenth of a millisecond is finer than any engine means it. */
const roundMs = (ms: number): number => Math.round(ms * 10) / 10
