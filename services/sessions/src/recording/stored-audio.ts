/**
 * Writes the audio of one recording to the storage during the conversation.
 *
 * - `push` returns at once. Bytes wait in memory while the storage is busy, at most `maxWaitingBytes`.
 * - A storage that fails, or is too slow, ends the recording once: `onFailed` is called, and the object is discarded.
 */
import { withTimeout } from '@parlance/async'
import { concatBytes } from '@parlance/audio'
import type { RecordingStorage, RecordingWriter } from './storage/recording-storage.js'

interface StoredAudioOptions {
  readonly storage: Pick<RecordingStorage, 'create'>
  readonly key: string
  /** Resolves when the recording may be written. */
  readonly begun: Promise<void>
  onFailed(error: unknown): void
}

/** Three minutes of speech. */
const maxWaitingBytes = 1024 * 1024
/** How long one call of the storage may take. */
const maxWriteMs = 30_000

export type StoredAudio = ReturnType<typeof storeAudio>

export const storeAudio = ({ storage, key, begun, onFailed }: StoredAudioOptions) => {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let storedBytes = 0
  let phase: 'open' | 'finished' | 'failed' = 'open'
  let writer: RecordingWriter | undefined

  const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
    withTimeout(work, maxWriteMs, () => {
      throw new Error(`The storage of recordings did not answer within ${maxWriteMs / 1000} s`)
    })

  const fail = (error: unknown): void => {
    if (phase === 'failed') return
    phase = 'failed'
    waiting = []
    void writer?.abort().catch(() => {})
    onFailed(error)
  }

  const open = async (): Promise<void> => {
    await begun
    const opening = storage.create(key)
    // An object that is opened too late is discarded.
    void opening.then((late) => (phase === 'failed' ? late.abort() : undefined)).catch(() => {})
    writer = await inTime(opening)
  }

  /** Writes all that waits by then. */
  const write = async (): Promise<void> => {
    if (phase === 'failed') return
    const bytes = concatBytes(waiting)
    waiting = []
    waitingBytes = 0
    await inTime(writer!.write(bytes))
    storedBytes += bytes.length
  }

  let written = open().catch(fail)

  return {
    push(bytes: Uint8Array) {
      if (phase !== 'open' || bytes.length === 0) return
      waitingBytes += bytes.length
      if (waitingBytes > maxWaitingBytes) return fail(new Error('The storage of recordings is slower than the audio'))
      waiting.push(bytes)
      if (waiting.length === 1) written = written.then(write).catch(fail)
    },
    /** Resolves to the size of the object when it is stored; to undefined when it has failed. Never rejects. */
    async finish(): Promise<number | undefined> {
      if (phase === 'open') phase = 'finished'
      await written
      if (phase === 'failed') return undefined
      await inTime(writer!.finish()).catch(fail)
      return (phase as string) === 'failed' ? undefined : storedBytes
    },
  }
}
