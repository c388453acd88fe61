import type { Response } from 'express'
import { type Answer, headersToRepeat } from './answer.js'

/** Answers beyond this are passed on and not kept, in bytes. */
const mostKeptBytes = 1024 * 1024

export interface CapturedResponse {
  /** What was answered, or that it was too much to keep; undefined when nothing was answered in full. */
  answered(): Answer | 'too large' | undefined
  /** Ends the capture. What was held back goes out, unless it is to be thrown away. */
  release(held: 'send' | 'drop'): void
}

/**
 * Holds an answer back until it is whole, so that it can be kept before anybody has seen it. One that grows too large
 * goes out after all, as it comes. Meanwhile `headersSent` stays false, so that a failure can still be a status.
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
      return bytes <= mostKeptBytes || passOn()
    },
    end(part?: Uint8Array | string): Response {
      if (part !== undefined) keep(part)
      if (bytes > mostKeptBytes) passOn()
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

  /** From here on the answer is on its way, and what is written next goes out at once. */
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
