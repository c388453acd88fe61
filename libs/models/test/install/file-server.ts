import type { IncomingMessage, ServerResponse } from 'node:http'
import { startLocalServer } from '@parlance/testing'

export interface ServedFile {
  content: Buffer
  etag?: string
  /** Answers stop after this many bytes until `cut` cuts their connection, `stops` times. */
  stopAfterBytes?: number
  stops?: number
  /** Answers this instead of the file. */
  status?: number
  /** Answers with a redirect to another of the files. */
  movedTo?: string
  /** The connection ends with each answer, whose length is not stated. */
  closes?: boolean
  /** Answers the whole file even when a part is asked for. */
  ignoresRanges?: boolean
}

export interface FileServer {
  readonly url: string
  readonly files: Record<string, ServedFile>
  /** The path and the `Range` of each request, in order. */
  readonly requests: string[]
  /** Cuts the connections of answers that have stopped. */
  cut(): void
  close(): Promise<void>
}

const startOf = (request: IncomingMessage, file: ServedFile): number => {
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
  const condition = request.headers['if-range']
  const isCurrent = condition === undefined || condition === file.etag
  return range === undefined || !isCurrent || file.ignoresRanges ? 0 : Number(range)
}

const answer = (file: ServedFile, request: IncomingMessage, response: ServerResponse, stopped: Set<ServerResponse>) => {
  const { content, etag, status } = file
  if (status !== undefined) return response.writeHead(status).end()
  if (file.movedTo !== undefined) return response.writeHead(302, { location: `/${file.movedTo}` }).end()
  const start = startOf(request, file)
  if (start > content.length) return response.writeHead(416).end()
  const rest = content.subarray(start)
  response.writeHead(start === 0 ? 200 : 206, {
    ...(file.closes ? { connection: 'close' } : { 'content-length': rest.length }),
    ...(etag === undefined ? {} : { etag }),
    ...(start === 0 ? {} : { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
  })
  if (file.stopAfterBytes === undefined || (file.stops ?? 0) <= 0) return response.end(rest)
  file.stops = (file.stops ?? 0) - 1
  stopped.add(response)
  return response.write(rest.subarray(0, file.stopAfterBytes))
}

/** A server of files, each under one path segment, with the faults that downloads can encounter. */
export const startFileServer = async (): Promise<FileServer> => {
  const files: Record<string, ServedFile> = {}
  const requests: string[] = []
  const stopped = new Set<ServerResponse>()
  const { url, close } = await startLocalServer((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1))
    requests.push(`${name} ${request.headers.range ?? 'whole'}`)
    const file = files[name]
    if (file === undefined) response.writeHead(404).end()
    else answer(file, request, response, stopped)
  })
  return {
    url,
    files,
    requests,
    cut: () => {
      for (const response of stopped) response.socket?.destroy()
      stopped.clear()
    },
    close,
  }
}
