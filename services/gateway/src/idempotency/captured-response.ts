import type { Response } from 'express'
import { type Answer, headersToRepeat } from './sealed-answer.js'

/** Larger responses are sent and not stored. */
const maxStoredBytes = 1024 * 1024

export interface CapturedResponse {
  /** The response, or that it was too large to store. Undefined when there is no complete response. */
  answered(): Answer | 'too large' | undefined
  /** Ends the capture, and sends or drops the response. */
  release(held: 'send' | 'drop'): void
}

/**
 * Buffers a response until it is complete, so that it can be stored before the client gets it. A response that grows too
 * large is sent as it is written. Until then `headersSent` stays false, so that a failure can still be a status.
 */
export const captureResponse = (res: Response): CapturedResponse => {
  let head: { status: number; headers: string[] } | undefined
  let parts: Buffer[] = []
  let bytes = 0
  let ended = false
  let passing = false

  const captured = {
    writeHead(status: number, headers: string[] = []): Response {
      head = { status, headers }
      return res
    },
    write(part: Uint8Array | string): boolean {
      keep(part)
      return bytes <= maxStoredBytes || passOn()
    },
    end(part?: Uint8Array | string): Response {
      if (part !== undefined) keep(part)
      if (bytes > maxStoredBytes) passOn()
      ended = true
      if (passing) res.end()
      return res
    },
  }

  const keep = (part: Uint8Array | string): void => {
    const copy = Buffer.from(part as Uint8Array)
    parts.push(copy)
    bytes += copy.length
  }

  const restore = (): void => {
    for (const method of Object.keys(captured)) Reflect.deleteProperty(res, method)
  }

  /** Sends the buffered data. Data written after this is sent at once. */
  const passOn = (): boolean => {
    passing = true
    restore()
    if (head !== undefined) res.writeHead(head.status, head.headers)
    const held = Buffer.concat(parts, bytes)
    parts = []
    return res.write(held)
  }

  Object.assign(res, captured)
  return {
    answered() {
      if (passing) return 'too large'
      if (!ended || head === undefined) return undefined
      return { status: head.status, headers: headersToRepeat(head.headers), body: Buffer.concat(parts, bytes) }
    },
    release(held) {
      if (passing) return
      restore()
      if (held === 'drop' || head === undefined) return
      res.writeHead(head.status, head.headers)
      res.end(Buffer.concat(parts, bytes))
    },
  }
}
