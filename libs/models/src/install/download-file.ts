import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { backoffMs, sleep } from '@parlance/async'
import { contradictionOf, digestFile, type FileDigest, type PublishedFacts } from '../folder/file-digest.js'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { httpGet } from './http-get.js'

/** How a download accesses the network and the disk. */
export interface DownloadPorts {
  readonly signal?: AbortSignal | undefined
  /** Opens the file that is written. Default: the file system's. */
  readonly openFile?: typeof open | undefined
  /** The pause before the first retry, which doubles for each further one. Default 500. */
  readonly retryDelayMs?: number | undefined
}

interface DownloadRequest {
  readonly url: string
  /** The path of the complete file. Until then it is `….part`. */
  readonly path: string
  readonly facts: PublishedFacts
  /** `totalBytes` is undefined when neither the catalog nor the server states it. */
  readonly onProgress?: ((receivedBytes: number, totalBytes: number | undefined) => void) | undefined
}

/** The maximum number of consecutive retries without a byte. */
const maxFruitlessRetries = 4
const maxRetryDelayMs = 8000
const gone = [404, 410]
/** Statuses after which another attempt may succeed. */
const isTransient = (status: number) => status === 408 || status === 429 || status >= 500

const partOf = (path: string) => `${path}.part`
/** The ETag of the response that began a `.part` file. */
const tagOf = (path: string) => `${path}.part.etag`

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size

const readTag = async (path: string): Promise<string | undefined> => {
  const tag = await readFile(tagOf(path), 'utf8').catch(() => '')
  return tag === '' ? undefined : tag
}

/** A weak ETag does not promise the same bytes, and `If-Range` must not carry one. */
const strongTag = ({ headers: { etag } }: IncomingMessage): string | undefined =>
  etag?.startsWith('W/') ? undefined : etag

class TransientError extends Error {}

/** No connection to the server could be opened. */
class OfflineError extends TransientError {}

const codesOfNoConnection = [
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]

const hostOf = (url: string) => new URL(url).host

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}

const request = async (
  url: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<IncomingMessage> => {
  try {
    return await httpGet(url, { 'accept-encoding': 'identity', 'user-agent': 'parlance', ...headers }, signal)
  } catch (error) {
    signal?.throwIfAborted()
    const reason = reasonOf(error)
    const Unreached = codesOfNoConnection.includes(reason) ? OfflineError : TransientError
    throw new Unreached(`${hostOf(url)} could not be reached (${reason})`, { cause: error })
  }
}

const totalOf = (response: IncomingMessage, startBytes: number): number | undefined => {
  const length = response.headers['content-length']
  return length === undefined ? undefined : startBytes + Number(length)
}

/** The offset in the file at which the body of a response begins. */
const startOf = ({ statusCode, headers }: IncomingMessage): number => {
  const match = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')
  return statusCode === 206 && match !== null ? Number(match[1]) : 0
}

const writeAll = async (file: FileHandle, chunk: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < chunk.length; ) {
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten
  }
}

/** Appends the body of one response to the `.part` file. Throws `TransientError` when the connection ends too early. */
const receive = async (
  response: IncomingMessage,
  { url, path, facts, onProgress }: DownloadRequest,
  ports: DownloadPorts,
) => {
  const startBytes = startOf(response)
  const totalBytes = totalOf(response, startBytes) ?? facts.sizeBytes ?? undefined
  const openFile = ports.openFile ?? open
  const failToWrite = (error: unknown) => {
    throw writeFailure(error, partOf(path))
  }
  let receivedBytes = startBytes
  const file = await openFile(partOf(path), startBytes === 0 ? 'w' : 'r+').catch(failToWrite)
  try {
    onProgress?.(receivedBytes, totalBytes)
    for await (const chunk of response as AsyncIterable<Buffer>) {
      await writeAll(file, chunk, receivedBytes).catch(failToWrite)
      receivedBytes += chunk.length
      onProgress?.(receivedBytes, totalBytes)
    }
  } catch (error) {
    ports.signal?.throwIfAborted()
    if (error instanceof InstallError) throw error
    throw new TransientError(`The connection to ${hostOf(url)} was cut (${reasonOf(error)})`, { cause: error })
  } finally {
    await file.close()
  }
  if (totalBytes !== undefined && receivedBytes < totalBytes) {
    throw new TransientError(`The connection to ${hostOf(url)} was cut at ${receivedBytes} of ${totalBytes} bytes`)
  }
}

/**
 * One request for the missing bytes. A `.part` file is continued only if the server can be asked for the same
 * version of the file, or if its content is checked against a digest afterwards.
 */
const continueDownload = async (request_: DownloadRequest, ports: DownloadPorts): Promise<void> => {
  const { url, path, facts } = request_
  const partBytes = await sizeOf(partOf(path))
  const tag = await readTag(path)
  const isComparable = tag !== undefined || facts.sha256 !== null || facts.md5 !== null
  if (partBytes > 0 && partBytes === facts.sizeBytes) return
  const isContinued = partBytes > 0 && isComparable && (facts.sizeBytes === null || partBytes < facts.sizeBytes)
  const headers: Record<string, string> = {}
  if (isContinued) headers.range = `bytes=${partBytes}-`
  if (isContinued && tag !== undefined) headers['if-range'] = tag
  const response = await request(url, headers, ports.signal)
  const status = response.statusCode!
  if (status === 416 && isContinued) {
    response.destroy()
    await rm(partOf(path), { force: true })
    throw new TransientError(`${hostOf(url)} has another version of the file`)
  }
  if (status < 200 || status > 299) {
    response.destroy()
    const answer = `${url} (HTTP ${status})`
    if (gone.includes(status)) throw new InstallError('gone', `The file no longer exists at ${answer}.`)
    if (!isTransient(status)) throw new InstallError('refused', `The server refused ${answer}.`)
    throw new TransientError(`The server failed at ${answer}`)
  }
  if (isContinued && status === 206 && startOf(response) !== partBytes) {
    response.destroy()
    await rm(partOf(path), { force: true })
    throw new TransientError(`${hostOf(url)} sent a different part of the file than requested`)
  }
  if (status !== 206) {
    const newTag = strongTag(response)
    if (newTag === undefined) await rm(tagOf(path), { force: true })
    else {
      await writeFile(tagOf(path), newTag).catch((error: unknown) => {
        throw writeFailure(error, tagOf(path))
      })
    }
  }
  await receive(response, request_, ports)
}

const receiveWithRetries = async (request_: DownloadRequest, ports: DownloadPorts): Promise<void> => {
  let fruitless = 0
  let hasArrived = false
  for (;;) {
    const before = await sizeOf(partOf(request_.path))
    try {
      return await continueDownload(request_, ports)
    } catch (error) {
      if (!(error instanceof TransientError)) throw error
      const isFruitful = (await sizeOf(partOf(request_.path))) > before
      hasArrived ||= isFruitful
      if (error instanceof OfflineError && !hasArrived) {
        const advice =
          'Without a network, `parlance models import FILE` imports a model from the disk, and `--mirror URL` names a server that has the files.'
        throw new InstallError('unreachable', `${error.message}. ${advice}`, { cause: error })
      }
      fruitless = isFruitful ? 0 : fruitless + 1
      if (fruitless > maxFruitlessRetries) {
        const advice = 'The part that has arrived is kept, and the next attempt continues it.'
        throw new InstallError('unreachable', `${error.message}. ${advice}`, { cause: error })
      }
      const backoff = { firstMs: ports.retryDelayMs ?? 500, maxMs: maxRetryDelayMs }
      await sleep(backoffMs(backoff, fruitless + 1), ports.signal)
    }
  }
}

/**
 * Downloads a file, continues a `.part` file of an earlier run, and renames it once its content is what the catalog
 * states. Rejects with `InstallError`; the `.part` file stays for the next run unless its content is wrong.
 */
export const downloadFile = async (request_: DownloadRequest, ports: DownloadPorts = {}): Promise<FileDigest> => {
  const { url, path, facts } = request_
  let isContinued = (await sizeOf(partOf(path))) > 0
  for (;;) {
    await receiveWithRetries(request_, ports)
    const digest = await digestFile(partOf(path))
    const contradiction = contradictionOf(digest, facts)
    if (contradiction === undefined) {
      await rename(partOf(path), path)
      await rm(tagOf(path), { force: true })
      return digest
    }
    await rm(partOf(path), { force: true })
    await rm(tagOf(path), { force: true })
    // The beginning may be of another version, so the file is downloaded again from the start.
    if (!isContinued) {
      throw new InstallError('wrong_content', `${url} is not the file that the catalog names: ${contradiction}.`)
    }
    isContinued = false
  }
}
