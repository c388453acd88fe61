/** Reads bodies with one file, alone or in a form, into memory, within limits. Nothing is written to a disk. */
import { createHash } from 'node:crypto'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { maxAudioFileBytes, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { onceClosed } from './connection-end.js'

/** Memory that the requests of several parties share: `total` bytes, of which a party has at most `share` at once. */
export const createByteBudget = (total: number, share: number) => {
  let free = total
  const takenBy = new Map<string, number>()

  const change = (party: string, bytes: number): void => {
    const taken = (takenBy.get(party) ?? 0) + bytes
    free -= bytes
    if (taken === 0) takenBy.delete(party)
    else takenBy.set(party, taken)
  }

  return {
    /** A reservation for a party, which is empty at first. */
    open(party: string) {
      let reserved = 0
      let isReleased = false
      return {
        /** Adds bytes. Returns false, and adds nothing, when too few are left or the party would exceed its share. */
        add(bytes: number): boolean {
          if (isReleased || bytes > free || bytes + (takenBy.get(party) ?? 0) > share) return false
          change(party, bytes)
          reserved += bytes
          return true
        },
        /** Releases all bytes. Nothing can be added any more. */
        release(): void {
          isReleased = true
          change(party, -reserved)
          reserved = 0
        },
      }
    },
  }
}

type ByteReservation = ReturnType<ReturnType<typeof createByteBudget>['open']>

/** A form with a file. A field whose name ends with `[]` has all its values. */
export interface UploadedForm {
  readonly fields: Readonly<Record<string, string | readonly string[]>>
  /** The content of the field `file`. */
  readonly file: Uint8Array
  /** As the client sent them; the name is empty when it sent none. */
  readonly fileName: string
  readonly fileType: string
}

/**
 * The fields and the file, for `Idempotency-Key`: the boundary of a form differs between two attempts, so that the bytes of the
 * body do too.
 */
export const formContentOf = async (req: Request): Promise<Uint8Array> => {
  const { fields, file, fileName } = await readForm(req)
  const parts = [fileName, ...Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(JSON.stringify(parts)).update('\n').update(file).digest()
}

const limits = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 32,
  fileSize: maxAudioFileBytes,
  files: 1,
  headerPairs: 32,
  headerSize: 8 * 1024,
}
/** The maximum size of names, values and boundaries besides the file. */
const maxBodyBytes = maxAudioFileBytes + 1024 * 1024

const mebibyte = 1024 * 1024
/** The total size of the files that all requests of this process hold in memory. One workspace cannot use all of it. */
const memory = createByteBudget(256 * mebibyte, 192 * mebibyte)

const invalid = (detail: string) => new ServiceError('invalid_request', detail)
const tooLarge = () =>
  new ServiceError('payload_too_large', `file: must have at most ${maxAudioFileBytes / 1024 / 1024} MiB.`)
const exhausted = () => new ServiceError('capacity_exhausted', 'Too many files are being uploaded now. Try again.')

/**
 * Reads the form. It may be called again. Rejects with `unsupported_media_type`, with `payload_too_large` for a file of
 * more than 25 MiB, with `capacity_exhausted` when other requests have the memory, or those of the workspace have its
 * share, and with `invalid_request`.
 */
export const readForm = (req: Request): Promise<UploadedForm> => {
  req.form ??= receiveForm(req)
  return req.form
}

const receiveForm = async (req: Request): Promise<UploadedForm> => {
  const { 'content-type': type = '' } = req.headers
  if (!/^multipart\/form-data *(;|$)/i.test(type)) {
    throw new ServiceError('unsupported_media_type', 'Send the body with content-type multipart/form-data.')
  }
  return parseForm(req, type, reserveBody(req, maxBodyBytes))
}

/** Reserves the length of the body. Returns the reservation for the parts of a body without a length. */
const reserveBody = (req: Request, maxBytes: number): ByteReservation | undefined => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = req.headers
  if (encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body without content-encoding.')
  }
  const announcedBytes = Number(length ?? 0)
  if (announcedBytes > maxBytes) throw tooLarge()
  const reservation = memory.open(principalOf(req).workspace_id)
  if (!reservation.add(announcedBytes)) throw exhausted()
  onceClosed(req.res!, reservation.release)
  return length === undefined ? reservation : undefined
}

/** Reads a body that is a file of any type. Rejects as `readForm` does. It may be called once. */
export const readFileBody = async (req: Request): Promise<Uint8Array> => {
  const reservation = reserveBody(req, maxAudioFileBytes)
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of req as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > maxAudioFileBytes) throw tooLarge()
      if (reservation !== undefined && !reservation.add(part.length)) throw exhausted()
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : invalid('The connection ended in the middle of the body.')
  }
  return Buffer.concat(parts)
}

const openParser = (req: Request, type: string): BusboyInstance => {
  try {
    const headers = { ...req.headers, 'content-type': type }
    return new Busboy({ headers, limits, isPartAFile: (name, _type, file) => name === 'file' || file !== undefined })
  } catch {
    throw invalid('The content-type has no boundary.')
  }
}

/** For a body without a length, bytes are added to `reservation` as they arrive. */
const parseForm = (req: Request, type: string, reservation?: ByteReservation): Promise<UploadedForm> =>
  new Promise((resolve, reject) => {
    const parser = openParser(req, type)
    const fields = new Map<string, string | string[]>()
    let file: Pick<UploadedForm, 'file' | 'fileName' | 'fileType'> | undefined

    /** The rest of the body is dropped, so that a client that sends everything before it reads gets the response. */
    const refuse = (error: ServiceError) => {
      req.unpipe(parser)
      req.resume()
      reject(error)
    }
    const addField = (name: string, value: string) => {
      const known = fields.get(name)
      if (!name.endsWith('[]')) fields.set(name, value)
      else if (Array.isArray(known)) known.push(value)
      else fields.set(name, [value])
      if (known !== undefined && !name.endsWith('[]')) refuse(invalid(`${name}: was sent more than once`))
    }
    const addFile = (name: string, stream: BusboyFileStream, fileName: string, _encoding: string, fileType: string) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.once('limit', () => refuse(tooLarge()))
      stream.once('end', () => {
        file = { file: Buffer.concat(parts), fileName, fileType }
      })
      if (name !== 'file') refuse(invalid(`Unknown field: ${name}.`))
    }

    parser.on('field', (name, value, nameIsCut, valueIsCut) => {
      if (nameIsCut || valueIsCut) refuse(invalid(`${name}: is too long`))
      else addField(name, value)
    })
    parser.on('file', addFile)
    parser.once('fieldsLimit', () => refuse(invalid(`There are more than ${limits.fields} fields.`)))
    parser.once('filesLimit', () => refuse(invalid('file: was sent more than once')))
    parser.once('error', () => refuse(invalid('The body is not a valid form.')))
    parser.once('finish', () => {
      if (file === undefined) reject(invalid('file: is required'))
      else resolve({ fields: Object.fromEntries(fields), ...file })
    })
    onceClosed(req, () => {
      if (!req.readableEnded) reject(invalid('The connection ended in the middle of the body.'))
    })
    if (reservation !== undefined) {
      let bytes = 0
      req.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > maxBodyBytes) refuse(tooLarge())
        else if (!reservation.add(part.length)) refuse(exhausted())
      })
    }
    req.pipe(parser)
  })
