/**
 * Speaks what was spoken before from memory, and the rest by an engine.
 *
 * - A speech is kept when it was asked for a second time, so that what is said once pushes nothing out.
 * - Only what an engine made whole is kept: nothing that failed, was left early, or was spoken by another in its stead.
 * - What is at hand needs no seat. Before the shared cache is waited for a seat is taken, and given back if it was there.
 * - A cache that fails, or takes long, is one that does not have it.
 */
import { withTimeout } from '@parlance/async'
import type { SynthesisChunk } from '@parlance/contracts'
import { roundMs } from '../alignment.js'
import type { MemorySpeechCache } from './memory-speech-cache.js'
import { readSpeech, recordSpeech } from './recorded-speech.js'
import { createSightings } from './sightings.js'
import type { SpeechCache } from './speech-cache.js'

/** `hit` from this process's memory, `shared` from the cache that workers share. */
export type CacheOutcome = 'hit' | 'shared' | 'miss'

export interface SpeechMemoryOptions {
  readonly memory: MemorySpeechCache
  readonly shared?: SpeechCache | undefined
  /** More audio than that is not worth gathering: no cache would keep it. */
  readonly mostSpeechBytes: number
  readonly onOutcome: (outcome: CacheOutcome) => void
}

export interface Speaking<Seat extends { leave(): void }> {
  /** When the request came, on the clock of `performance`. */
  readonly acceptedMs: number
  /** Takes a seat without having anything spoken yet, if that is needed; throws when there is none. */
  reserve(): Seat | undefined
  speak(seat?: Seat): AsyncGenerator<SynthesisChunk>
  /** Asked at the end: whether what was spoken is what the key says. */
  isAsAsked(): boolean
}

export interface SpeechMemory {
  speech<Seat extends { leave(): void }>(key: string, speaking: Speaking<Seat>): AsyncGenerator<SynthesisChunk>
}

/** Some hundred kilobytes: as many texts as a busy worker gets in some minutes. */
const mostSightings = 4_096
/** An engine would have begun by then. */
const sharedWithinMs = 100

export const createSpeechMemory = ({
  memory,
  shared,
  mostSpeechBytes,
  onOutcome,
}: SpeechMemoryOptions): SpeechMemory => {
  const sightings = createSightings(mostSightings)

  const askShared = async (key: string): Promise<SynthesisChunk[] | undefined> => {
    const asked = Promise.resolve(shared?.get(key)).catch(() => undefined)
    const recorded = await withTimeout(asked, sharedWithinMs, () => undefined)
    const chunks = recorded && readSpeech(recorded)
    if (chunks !== undefined && recorded !== undefined) memory.put(key, recorded)
    return chunks
  }

  const keep = (key: string, chunks: readonly SynthesisChunk[]) => {
    const recorded = recordSpeech(chunks)
    memory.put(key, recorded)
    // Whoever listened has all there is; a store that is away is no concern of theirs.
    Promise.resolve(shared?.put(key, recorded)).catch(() => undefined)
  }

  async function* kept(chunks: readonly SynthesisChunk[], acceptedMs: number): AsyncGenerator<SynthesisChunk> {
    const ttfa_ms = roundMs(performance.now() - acceptedMs)
    for (const chunk of chunks) {
      if (chunk.event === 'started') yield { ...chunk, queue_ms: 0, ttfa_ms }
      else if (chunk.event === 'done') yield { ...chunk, ttfa_ms }
      else yield chunk
    }
  }

  async function* recording(
    key: string,
    chunks: AsyncGenerator<SynthesisChunk>,
    isAsAsked: () => boolean,
  ): AsyncGenerator<SynthesisChunk> {
    let gathered: SynthesisChunk[] | undefined = []
    let bytes = 0
    for await (const chunk of chunks) {
      if (chunk.event === 'audio') bytes += chunk.data.length
      if (bytes > mostSpeechBytes) gathered = undefined
      gathered?.push(chunk)
      yield chunk
    }
    if (gathered?.at(-1)?.event === 'done' && isAsAsked()) keep(key, gathered)
  }

  return {
    async *speech(key, { acceptedMs, reserve, speak, isAsAsked }) {
      const known = sightings.again(key)
      const recorded = memory.get(key)
      const atHand = recorded && readSpeech(recorded)
      if (atHand !== undefined) {
        onOutcome('hit')
        return yield* kept(atHand, acceptedMs)
      }
      if (!known) {
        onOutcome('miss')
        return yield* speak()
      }
      const seat = shared === undefined ? undefined : reserve()
      try {
        const found = shared === undefined ? undefined : await askShared(key)
        if (found !== undefined) {
          seat?.leave()
          onOutcome('shared')
          return yield* kept(found, acceptedMs)
        }
        onOutcome('miss')
        yield* recording(key, speak(seat), isAsAsked)
      } finally {
        seat?.leave()
      }
    },
  }
}
