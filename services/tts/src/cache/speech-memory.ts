/**
 * Serves repeated speech from memory, and the rest from an engine.
 *
 * - A speech is cached when it is requested for the second time, so that speech requested once replaces nothing.
 * - Only complete speech of the requested engine is cached: none that failed, was aborted, or was spoken by a fallback.
 * - Speech in the memory of this process needs no permit. During the look-up in the shared cache the request holds a permit,
 *   which is released when the speech is found.
 * - A cache that fails or is slow counts as a miss.
 */

import { withTimeout } from '@parlance/async'
import { deliverAll, type PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'
import { LRUCache } from 'lru-cache'
import type { MemorySpeechCache } from './memory-speech-cache.js'
import { readSpeech, recordSpeech } from './recorded-speech.js'
import type { SpeechCache } from './speech-cache.js'

/** `hit` from this process's memory, `shared` from the cache that workers share. */
type CacheOutcome = 'hit' | 'shared' | 'miss'

interface SpeechMemoryOptions {
  readonly memory: MemorySpeechCache
  readonly shared?: SpeechCache | undefined
  /** Longer speech is not recorded, since no cache would keep it. */
  readonly maxSpeechBytes: number
  readonly onOutcome: (outcome: CacheOutcome) => void
}

export interface Speaking<Permit extends { release(): void }> {
  /** When the request came, on the clock of `performance`. */
  readonly acceptedMs: number
  /** Admits the request before it is spoken, if needed; throws when there is no capacity. */
  reserve(): Permit | undefined
  speak(permit?: Permit): PushStream<SynthesisChunk>
  /** Called at the end: returns whether the speech is the one that the key identifies. */
  isAsAsked(): boolean
}

export interface SpeechMemory {
  speech<Permit extends { release(): void }>(key: string, speaking: Speaking<Permit>): PushStream<SynthesisChunk>
}

/** The texts that a busy worker gets in some minutes; they take some hundred kilobytes. */
const maxSightings = 4_096
/** An engine would have started speaking by then. */
const sharedWithinMs = 100

export const createSpeechMemory = ({
  memory,
  shared,
  maxSpeechBytes,
  onOutcome,
}: SpeechMemoryOptions): SpeechMemory => {
  /** The keys that were requested most recently. */
  const sightings = new LRUCache<string, true>({ max: maxSightings })

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
    // The client has all of the speech, so a failure of the store is ignored.
    Promise.resolve(shared?.put(key, recorded)).catch(() => undefined)
  }

  const replay =
    (chunks: readonly SynthesisChunk[], acceptedMs: number): PushStream<SynthesisChunk> =>
    async (sink, signal) => {
      signal.throwIfAborted()
      const ttfa_ms = roundToTenth(performance.now() - acceptedMs)
      await deliverAll(chunks, (chunk) => {
        signal.throwIfAborted()
        if (chunk.event === 'started') return sink({ ...chunk, queue_ms: 0, ttfa_ms })
        return sink(chunk.event === 'done' ? { ...chunk, ttfa_ms } : chunk)
      })
    }

  const record =
    (key: string, speech: PushStream<SynthesisChunk>, isAsAsked: () => boolean): PushStream<SynthesisChunk> =>
    async (sink, signal) => {
      let recorded: SynthesisChunk[] | undefined = []
      let bytes = 0
      await speech((chunk) => {
        if (chunk.event === 'audio') bytes += chunk.data.length
        if (bytes > maxSpeechBytes) recorded = undefined
        recorded?.push(chunk)
        return sink(chunk)
      }, signal)
      if (recorded?.at(-1)?.event === 'done' && isAsAsked()) keep(key, recorded)
    }

  return {
    speech:
      (key, { acceptedMs, reserve, speak, isAsAsked }) =>
      async (sink, signal) => {
        const known = sightings.has(key)
        sightings.set(key, true)
        const recorded = memory.get(key)
        const atHand = recorded && readSpeech(recorded)
        if (atHand !== undefined) {
          onOutcome('hit')
          return replay(atHand, acceptedMs)(sink, signal)
        }
        if (!known) {
          onOutcome('miss')
          return speak()(sink, signal)
        }
        const permit = shared === undefined ? undefined : reserve()
        try {
          const found = shared === undefined ? undefined : await askShared(key)
          if (found !== undefined) {
            permit?.release()
            onOutcome('shared')
            return await replay(found, acceptedMs)(sink, signal)
          }
          onOutcome('miss')
          await record(key, speak(permit), isAsAsked)(sink, signal)
        } finally {
          permit?.release()
        }
      },
  }
}
