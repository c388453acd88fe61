import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import type { z } from 'zod'
import { parseRequest } from './parsed-request.js'

const quote = 0x22
const backslash = 0x5c

/**
 * Whether arrays and objects in this JSON are nested deeper than `maxDepth`. One pass over the bytes, up to the first value
 * that is too deep. The result for bytes that are not JSON does not matter, since the parser refuses them.
 */
export const isNestedDeeper = (json: Uint8Array, maxDepth: number): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (inString) {
      if (byte === backslash) at += 1
      else if (byte === quote) inString = false
      continue
    }
    if (byte === quote) inString = true
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return false
}

export const maxBodyBytes = 128 * 1024
const maxDepth = 64

/**
 * Reads the body as JSON. Rejects with `unsupported_media_type`, with `payload_too_large` beyond 128 KiB, and with
 * `invalid_json` for a body that is not UTF-8, not JSON, or nested more than 64 levels deep.
 */
export const readJsonBody = async (req: Request): Promise<unknown> => {
  checkMediaType(req.headers['content-type'], req.headers['content-encoding'])
  const bytes = await readBody(req)
  if (!isUtf8(bytes)) throw new ServiceError('invalid_json', 'The body is not valid UTF-8.')
  if (isNestedDeeper(bytes, maxDepth)) {
    throw new ServiceError('invalid_json', `The body is nested more than ${maxDepth} levels deep.`)
  }
  try {
    return JSON.parse(bytes.toString())
  } catch {
    // The message of the parser quotes the body, which must not get into a response that a client may log.
    throw new ServiceError('invalid_json', bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON.')
  }
}

/** Reads the body as JSON that matches a schema. Rejects as `readJsonBody` does, and with `invalid_request`. */
export const parseBody = async <Schema extends z.ZodType>(schema: Schema, req: Request): Promise<z.output<Schema>> =>
  parseRequest(schema, await readJsonBody(req))

/** The same for a request whose body is optional. No body is an empty object. */
export const parseOptionalBody = async <Schema extends z.ZodType>(
  schema: Schema,
  req: Request,
): Promise<z.output<Schema>> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  const isEmpty = encoding === undefined && (length === undefined || length === '0')
  return isEmpty ? parseRequest(schema, {}) : parseBody(schema, req)
}

const checkMediaType = (contentType: string | undefined, contentEncoding: string | undefined): void => {
  const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (type?.trim() !== 'application/json') {
    throw new ServiceError('unsupported_media_type', 'Send the body with content-type application/json.')
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='))
  if (charset !== undefined && !/^charset="?(utf-?8|us-ascii)"?$/.test(charset.trim())) {
    throw new ServiceError('unsupported_media_type', 'Send the body in UTF-8.')
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body without content-encoding.')
  }
}

/**
 * Reads the bytes of the body. It may be called again. A body that is too large is refused as soon as that is known. The
 * rest of it is read and dropped, so that a client that sends everything before it reads gets the response.
 */
export const readBody = (req: Request): Promise<Buffer> => {
  req.rawBody ??= receiveBody(req)
  return req.rawBody
}

const receiveBody = (req: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) {
      reject(tooLarge())
      return
    }
    const parts: Buffer[] = []
    let length = 0
    const onData = (part: Buffer) => {
      length += part.length
      if (length <= maxBodyBytes) {
        parts.push(part)
      } else {
        settle()
        req.resume()
        reject(tooLarge())
      }
    }
    const onEnd = () => {
      settle()
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length))
    }
    const onCut = () => {
      settle()
      reject(new ServiceError('invalid_request', 'The connection ended in the middle of the body.'))
    }
    const settle = () => {
      req.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut)
    }
    req.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut)
    // A client that disconnected before its body was read: none of the events will follow.
    if (req.closed) onCut()
  })

const tooLarge = () => new ServiceError('payload_too_large', `The body is larger than ${maxBodyBytes / 1024} KiB.`)
