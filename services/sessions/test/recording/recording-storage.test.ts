import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import { openFolderStorage } from '../../src/recording/storage/folder-storage.js'
import {
  type ByteRange,
  ObjectMissingError,
  type RecordingStorage,
  recordingKey,
} from '../../src/recording/storage/recording-storage.js'
import { createS3Storage } from '../../src/recording/storage/s3-storage.js'
import { startS3Server } from './s3-server.js'

const newFolder = () => mkdtemp(join(tmpdir(), 'parlance-recordings-'))
const newKey = () => recordingKey(randomUUID(), randomUUID())

const adapters: Record<string, () => Promise<{ storage: RecordingStorage; close(): Promise<void> }>> = {
  async folder() {
    const folder = await newFolder()
    return { storage: await openFolderStorage(folder), close: () => rm(folder, { recursive: true }) }
  },
  async s3() {
    const folder = await newFolder()
    const server = await startS3Server(folder)
    return {
      storage: createS3Storage(server.options),
      async close() {
        await server.stop()
        await rm(folder, { recursive: true })
      },
    }
  },
}

describe.each(Object.keys(adapters))('the storage of recordings in %s', (name) => {
  let storage: RecordingStorage
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await adapters[name]!()
    storage = opened.storage
    close = opened.close
  })
  afterAll(() => close())

  const read = async (key: string, range: ByteRange): Promise<Buffer> => {
    const parts: Uint8Array[] = []
    for await (const part of storage.read(key, range, new AbortController().signal)) parts.push(part)
    return Buffer.concat(parts)
  }
  const store = async (key: string, ...parts: Uint8Array[]): Promise<void> => {
    const writer = await storage.create(key)
    for (const part of parts) await writer.write(part)
    await writer.finish()
  }

  test('an object is stored as it was written, and any part of it can be read', async () => {
    const key = newKey()
    const bytes = randomBytes(100_000)
    await store(key, bytes.subarray(0, 40_000), bytes.subarray(40_000))
    expect(await read(key, { start: 0, end: bytes.length })).toEqual(bytes)
    expect(await read(key, { start: 39_990, end: 40_010 })).toEqual(bytes.subarray(39_990, 40_010))
    expect(await read(key, { start: 99_999, end: 100_000 })).toEqual(bytes.subarray(99_999))
  })

  test('an object that is larger than any buffer is stored as it was written', async () => {
    const key = newKey()
    const parts = Array.from({ length: 11 }, () => randomBytes(1024 * 1024))
    await store(key, ...parts)
    const whole = Buffer.concat(parts)
    expect((await read(key, { start: 0, end: whole.length })).equals(whole)).toBe(true)
  })

  test('an object is missing until its writer has finished', async () => {
    const key = newKey()
    const writer = await storage.create(key)
    await writer.write(randomBytes(10))
    await expect(read(key, { start: 0, end: 1 })).rejects.toBeInstanceOf(ObjectMissingError)
    await writer.finish()
    expect(await read(key, { start: 0, end: 10 })).toHaveLength(10)
  })

  test.each([10, 6 * 1024 * 1024])('a writer that is aborted after %i bytes leaves no object', async (bytes) => {
    const key = newKey()
    const writer = await storage.create(key)
    await writer.write(randomBytes(bytes))
    await writer.abort()
    await expect(read(key, { start: 0, end: 1 })).rejects.toBeInstanceOf(ObjectMissingError)
  })

  test('old unfinished objects are removed, and finished ones are kept', async () => {
    const { signal } = new AbortController()
    const remove = (before: Date) => storage.removeUnfinished(before, signal)
    const [past, future] = [new Date(0), new Date(Date.now() + 3_600_000)]
    await remove(future)
    const kept = newKey()
    await store(kept, randomBytes(10))
    const unfinished = await Promise.all([newKey(), newKey(), newKey()].map((key) => storage.create(key)))
    for (const writer of unfinished) await writer.write(randomBytes(6 * 1024 * 1024))
    const stopped = storage.removeUnfinished(future, AbortSignal.abort(new Error('it stops')))
    await expect(stopped).rejects.toThrow('it stops')
    expect([await remove(past), await remove(future), await remove(future)]).toEqual([0, 3, 0])
    expect(await read(kept, { start: 0, end: 10 })).toHaveLength(10)
    for (const writer of unfinished) await writer.abort()
  })

  test('a removed object is missing, and removing it again is not an error', async () => {
    const [key, other] = [newKey(), newKey()]
    await store(key, randomBytes(10))
    await store(other, randomBytes(10))
    await storage.remove(key)
    await storage.remove(key)
    await expect(read(key, { start: 0, end: 1 })).rejects.toBeInstanceOf(ObjectMissingError)
    expect(await read(other, { start: 0, end: 10 })).toHaveLength(10)
  })
})

test('only the user of the process can read files of recordings, and removing one removes its unfinished parts', async () => {
  const folder = await newFolder()
  const storage = await openFolderStorage(join(folder, 'new'))
  const key = newKey()
  const writer = await storage.create(key)
  await writer.write(randomBytes(10))
  const [workspace] = await readdir(join(folder, 'new'))
  const [file] = await readdir(join(folder, 'new', workspace!))
  expect((await stat(join(folder, 'new', workspace!, file!))).mode & 0o077).toBe(0)
  await storage.remove(key)
  expect(await readdir(join(folder, 'new', workspace!))).toEqual([])
  await writer.abort()
  await rm(folder, { recursive: true })
})

describe('a bucket', () => {
  let folder: string
  let server: Awaited<ReturnType<typeof startS3Server>>
  beforeAll(async () => {
    folder = await newFolder()
    server = await startS3Server(folder)
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  test('that does not know the key is an error, not a missing object', async () => {
    const storage = createS3Storage({ ...server.options, accessKeyId: 'unknown' })
    const writer = await storage.create(newKey())
    await writer.write(randomBytes(10))
    await expect(writer.finish()).rejects.toThrow('403')
    const reading = storage.read(newKey(), { start: 0, end: 1 }, new AbortController().signal)
    await expect(reading[Symbol.asyncIterator]().next()).rejects.not.toBeInstanceOf(ObjectMissingError)
  })

  test('keeps the unfinished uploads of others, also one that it lists alone', async () => {
    const s3 = new S3mini({ ...server.options, endpoint: server.options.url })
    await s3.getMultipartUploadId('videos/theirs.ogg', 'audio/ogg')
    const future = new Date(Date.now() + 3_600_000)
    expect(await createS3Storage(server.options).removeUnfinished(future, new AbortController().signal)).toBe(0)
    expect(server.abortedUploads).toEqual([])
  })

  test('that does not list uploads is an error', async () => {
    const storage = createS3Storage({ ...server.options, url: `${server.options.url}/folder` })
    await expect(storage.removeUnfinished(new Date(), new AbortController().signal)).rejects.toThrow()
  })

  test('aborts a multipart upload that is not finished', async () => {
    const writer = await createS3Storage(server.options).create(newKey())
    await writer.write(randomBytes(6 * 1024 * 1024))
    await writer.abort()
    expect(server.abortedUploads).toHaveLength(1)
  })
})

test('a key consists only of UUIDs', () => {
  expect(() => recordingKey('..', randomUUID())).toThrow(TypeError)
  expect(() => recordingKey(randomUUID(), '../../etc/passwd')).toThrow(TypeError)
})
