import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { PublishedFacts } from '../../src/folder/file-digest.js'
import { type DownloadPorts, downloadFile } from '../../src/install/download-file.js'
import { type FileServer, startFileServer } from './file-server.js'

const content = randomBytes(300_000)
const digests = {
  sha256: createHash('sha256').update(content).digest('hex'),
  md5: createHash('md5').update(content).digest('hex'),
}
const unknown: PublishedFacts = { sizeBytes: null, md5: null, sha256: null }

let folder: string
let server: FileServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-download-'))
  server = await startFileServer()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const download = (
  facts: Partial<PublishedFacts> = {},
  ports: DownloadPorts = {},
  onProgress?: (receivedBytes: number) => void,
) =>
  downloadFile(
    { url: `${server.url}/model.onnx`, path: join(folder, 'model.onnx'), facts: { ...unknown, ...facts }, onProgress },
    { retryDelayMs: 1, ...ports },
  )
const downloaded = () => readFile(join(folder, 'model.onnx'))
const expectWhole = async () => {
  expect((await downloaded()).equals(content)).toBe(true)
  expect(await readdir(folder)).toEqual(['model.onnx'])
}

test('a file has its name only when it is complete, and its digests are then known', async () => {
  server.files['model.onnx'] = { content }
  const seen: Promise<string[]>[] = []
  const digest = await download({}, {}, () => seen.push(readdir(folder)))
  expect(digest).toEqual({ sizeBytes: content.length, ...digests })
  expect(await seen[0]).toContain('model.onnx.part')
  expect(await seen[0]).not.toContain('model.onnx')
  await expectWhole()
})

test('a connection that is cut again and again is continued where it was cut, as long as bytes arrive', async () => {
  server.files['model.onnx'] = { content, etag: '"1"', stopAfterBytes: 30_000, stops: 8 }
  await download(digests, {}, (receivedBytes) => {
    if (receivedBytes > 0 && receivedBytes % 30_000 === 0) server.cut()
  })
  await expectWhole()
  const starts = Array.from({ length: 8 }, (_, index) => `model.onnx bytes=${(index + 1) * 30_000}-`)
  expect(server.requests).toEqual(['model.onnx whole', ...starts])
})

test('what arrived in an earlier run is continued by the next one', async () => {
  server.files['model.onnx'] = { content, etag: '"1"', stopAfterBytes: 100_000, stops: 1 }
  const ended = new AbortController()
  const end = (receivedBytes: number) => {
    if (receivedBytes === 100_000) ended.abort()
  }
  await expect(download({}, { signal: ended.signal }, end)).rejects.toThrow(/abort/i)
  await download()
  await expectWhole()
  expect(server.requests).toEqual(['model.onnx whole', 'model.onnx bytes=100000-'])
})

test('a part of another version, by its ETag, is replaced by the whole file', async () => {
  await writeFile(join(folder, 'model.onnx.part'), randomBytes(1000))
  await writeFile(join(folder, 'model.onnx.part.etag'), '"old"')
  server.files['model.onnx'] = { content, etag: '"new"' }
  await download()
  await expectWhole()
})

test('a part without an ETag is not continued unless a digest can verify the whole file', async () => {
  await writeFile(join(folder, 'model.onnx.part'), randomBytes(1000))
  server.files['model.onnx'] = { content }
  await download()
  await expectWhole()
  expect(server.requests).toEqual(['model.onnx whole'])
})

test('a part that turns out to be of another file is downloaded again, once, from the beginning', async () => {
  await writeFile(join(folder, 'model.onnx.part'), randomBytes(1000))
  server.files['model.onnx'] = { content }
  await download({ sha256: digests.sha256 })
  await expectWhole()
  expect(server.requests).toEqual(['model.onnx bytes=1000-', 'model.onnx whole'])
})

test('a part longer than the file is downloaded again', async () => {
  await writeFile(join(folder, 'model.onnx.part'), randomBytes(400_000))
  server.files['model.onnx'] = { content }
  await download(digests)
  await expectWhole()
})

test('a server that ignores ranges sends the whole file again', async () => {
  server.files['model.onnx'] = { content, stopAfterBytes: 200_000, stops: 1, ignoresRanges: true }
  await download(digests, {}, (receivedBytes) => {
    if (receivedBytes === 200_000) server.cut()
  })
  await expectWhole()
})

test.each([
  ['SHA-256', { sha256: 'a'.repeat(64) }],
  ['MD5', { md5: 'b'.repeat(32) }],
  ['bytes', { sizeBytes: 299_999 }],
])('a file whose %s is wrong is refused and leaves nothing behind', async (what, facts) => {
  server.files['model.onnx'] = { content }
  await expect(download(facts)).rejects.toMatchObject({
    failure: 'wrong_content',
    message: expect.stringContaining(what),
  })
  expect(await readdir(folder)).toEqual([])
})

test.each([
  [404, 'gone', 1],
  [410, 'gone', 1],
  [403, 'refused', 1],
  [503, 'unreachable', 5],
])('a response with status %i is reported as %s after %i requests', async (status, failure, requests) => {
  server.files['model.onnx'] = { content, status }
  const error = await download().catch((error: Error) => error)
  expect(error).toMatchObject({ failure, message: expect.stringContaining(`model.onnx (HTTP ${status})`) })
  expect((error as Error).message).not.toContain('\n')
  expect(server.requests).toHaveLength(requests)
})

test('a server that cannot be reached is reported with its name', async () => {
  const { host } = new URL(server.url)
  await server.close()
  await expect(download()).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringMatching(new RegExp(`^${host} could not be reached \\(ECONNREFUSED\\)`)),
  })
  server = await startFileServer()
})

test('without a network a download fails at the first attempt and names what works offline', async () => {
  await server.close()
  // A retry would wait for longer than the test may take.
  await expect(download({}, { retryDelayMs: 3_600_000 })).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringMatching(/`parlance models import FILE`.*`--mirror URL`/),
  })
  server = await startFileServer()
})

test('a connection attempt without a response is given up', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    return Object.assign(this, { connecting: true })
  })
  try {
    await expect(download()).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('ETIMEDOUT'),
    })
  } finally {
    connect.mockRestore()
  }
})

test('a full disk is reported at once, and what was written is continued when there is space', async () => {
  server.files['model.onnx'] = { content }
  let spaceBytes = 50_000
  const openFile = (async (path: string, flags: string) => {
    const file = await open(path, flags)
    const write = file.write.bind(file) as (...args: unknown[]) => Promise<{ bytesWritten: number }>
    const limited = async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      if (position >= spaceBytes) throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
      return write(bytes, offset, Math.min(length, spaceBytes - position), position)
    }
    return Object.assign(file, { write: limited })
  }) as unknown as typeof open
  await expect(download({ sha256: digests.sha256 }, { openFile })).rejects.toMatchObject({
    failure: 'disk_full',
    message: expect.stringMatching(/^The disk is full: .*model\.onnx\.part/),
  })
  expect(server.requests).toHaveLength(1)
  spaceBytes = Number.POSITIVE_INFINITY
  await download({ sha256: digests.sha256 }, { openFile })
  await expectWhole()
  expect(server.requests).toEqual(['model.onnx whole', 'model.onnx bytes=50000-'])
})

test('a redirect is followed', async () => {
  server.files['model.onnx'] = { content, movedTo: 'stored' }
  server.files.stored = { content }
  await download(digests)
  await expectWhole()
})

test('endless redirects are reported', async () => {
  server.files['model.onnx'] = { content, movedTo: 'model.onnx' }
  await expect(download()).rejects.toMatchObject({ message: expect.stringContaining('more than 10 redirects') })
})

test('a server that ends the connection with the file may do so while the disk is slow', async () => {
  const big = randomBytes(8_000_000)
  server.files['model.onnx'] = { content: big, closes: true }
  const openFile = (async (path: string, flags: string) => {
    const file = await open(path, flags)
    const write = file.write.bind(file) as (...args: unknown[]) => Promise<unknown>
    const slow = async (...args: unknown[]) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      return write(...args)
    }
    return Object.assign(file, { write: slow })
  }) as unknown as typeof open
  await download({}, { openFile })
  expect((await downloaded()).equals(big)).toBe(true)
})

test('a proxy that the environment names is used', async () => {
  const proxy = await startFileServer()
  const before = { http_proxy: process.env.http_proxy, no_proxy: process.env.no_proxy }
  process.env.http_proxy = proxy.url
  process.env.no_proxy = ''
  try {
    proxy.files['ttp://models.example/model.onnx'] = { content }
    await downloadFile(
      { url: 'http://models.example/model.onnx', path: join(folder, 'model.onnx'), facts: unknown },
      { retryDelayMs: 1 },
    )
    await expectWhole()
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await proxy.close()
  }
})
