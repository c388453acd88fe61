import type { RecordingStorage, RecordingWriter } from '../../src/recording/storage/recording-storage.js'
import { storeAudio } from '../../src/recording/stored-audio.js'

/** A storage whose calls do what the test says, and notes them. */
const fakeStorage = (behavior: Partial<RecordingWriter> & { create?: RecordingStorage['create'] } = {}) => {
  const calls: string[] = []
  const written: Uint8Array[] = []
  const writer: RecordingWriter = {
    async write(bytes) {
      calls.push('write')
      await behavior.write?.(bytes)
      written.push(bytes)
    },
    async finish() {
      calls.push('finish')
      await behavior.finish?.()
    },
    async abort() {
      calls.push('abort')
    },
  }
  return { calls, written, storage: { create: behavior.create ?? (async () => writer) } }
}

const opened = (storage: Pick<RecordingStorage, 'create'>, begun = Promise.resolve()) => {
  const failures: unknown[] = []
  const audio = storeAudio({ storage, key: 'key', begun, onFailed: (error) => void failures.push(error) })
  return { audio, failures }
}

test('audio is stored in order, including audio from before the storage was open', async () => {
  const { storage, written, calls } = fakeStorage()
  const { audio, failures } = opened(storage)
  for (let byte = 0; byte < 5; byte++) {
    audio.push(Uint8Array.of(byte))
    if (byte % 2 === 0) await new Promise(setImmediate)
  }
  expect(await audio.finish()).toBe(5)
  expect([...Buffer.concat(written)]).toEqual([0, 1, 2, 3, 4])
  expect([calls.at(-1), failures]).toEqual(['finish', []])
})

test('a write that fails ends the recording once, and discards the object', async () => {
  const { storage, calls } = fakeStorage({ write: () => Promise.reject(new Error('disk full')) })
  const { audio, failures } = opened(storage)
  audio.push(Uint8Array.of(1))
  expect(await audio.finish()).toBeUndefined()
  audio.push(Uint8Array.of(2))
  expect(await audio.finish()).toBeUndefined()
  expect(failures).toEqual([new Error('disk full')])
  expect(calls).toEqual(['write', 'abort'])
})

test('a storage that cannot be opened, or does not finish, is a failure too', async () => {
  const closed = opened({ create: () => Promise.reject(new Error('no bucket')) })
  expect(await closed.audio.finish()).toBeUndefined()
  expect(closed.failures).toEqual([new Error('no bucket')])

  const { storage, calls } = fakeStorage({ finish: () => Promise.reject(new Error('no quota')) })
  const unfinished = opened(storage)
  unfinished.audio.push(Uint8Array.of(1))
  expect(await unfinished.audio.finish()).toBeUndefined()
  expect(unfinished.failures).toEqual([new Error('no quota')])
  expect(calls).toEqual(['write', 'finish', 'abort'])
})

test('a recording that could not begin writes nothing', async () => {
  const { storage, calls } = fakeStorage()
  const { audio, failures } = opened(storage, Promise.reject(new Error('no row')))
  audio.push(Uint8Array.of(1))
  expect(await audio.finish()).toBeUndefined()
  expect([failures, calls]).toEqual([[new Error('no row')], []])
})

test('while the storage hangs, pushing returns at once, and the recording fails before it fills the memory', async () => {
  const { storage } = fakeStorage({ write: () => new Promise(() => {}) })
  const { audio, failures } = opened(storage)
  await new Promise(setImmediate)
  for (let kibibytes = 0; kibibytes < 2048; kibibytes += 64) audio.push(new Uint8Array(64 * 1024))
  expect(failures).toEqual([new Error('The storage of recordings is slower than the audio')])
})
