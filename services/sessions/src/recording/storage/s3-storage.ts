import { concatBytes } from '@parlance/audio'
import { S3mini, S3ServiceError, type UploadPart } from 's3mini'
import { z } from 'zod'
import { isRecordingKey, ObjectMissingError, type RecordingStorage, type RecordingWriter } from './recording-storage.js'

export interface S3Options {
  /** The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/recordings`. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The protocol allows only the last part to be smaller. */
const partBytes = 5 * 1024 * 1024
const requestTimeoutMs = 20_000
const contentType = 'audio/ogg'

const isMissing = (error: unknown): boolean => error instanceof S3ServiceError && error.status === 404

/**
 * Recordings as objects of a bucket with the protocol of Amazon S3, addressed by path. Most recordings are smaller than a part and
 * are uploaded in one request at their end; larger ones are uploaded part by part. At most one part is in memory.
 */
export const createS3Storage = ({ url, ...credentials }: S3Options): RecordingStorage => {
  const s3 = new S3mini({ ...credentials, endpoint: url, requestAbortTimeout: requestTimeoutMs })

  const createWriter = (key: string): RecordingWriter => {
    let waiting: Uint8Array[] = []
    let waitingBytes = 0
    let upload: { readonly id: string; readonly parts: UploadPart[] } | undefined

    const takeWaiting = (): Uint8Array => {
      const bytes = concatBytes(waiting)
      waiting = []
      waitingBytes = 0
      return bytes
    }

    const sendPart = async (): Promise<void> => {
      upload ??= { id: await s3.getMultipartUploadId(key, contentType), parts: [] }
      upload.parts.push(await s3.uploadPart(key, upload.id, takeWaiting(), upload.parts.length + 1))
    }

    return {
      async write(bytes) {
        waiting.push(bytes)
        waitingBytes += bytes.length
        if (waitingBytes >= partBytes) await sendPart()
      },
      async finish() {
        if (upload === undefined) {
          await s3.putObject(key, takeWaiting(), contentType)
          return
        }
        if (waitingBytes > 0) await sendPart()
        await s3.completeMultipartUpload(key, upload.id, upload.parts)
      },
      async abort() {
        waiting = []
        if (upload !== undefined) await s3.abortMultipartUpload(key, upload.id)
      },
    }
  }

  return {
    create: async (key) => createWriter(key),

    async *read(key, { start, end }, signal) {
      const response = await s3.getObjectRaw(key, false, start, end).catch((error: unknown) => {
        throw isMissing(error) ? new ObjectMissingError(key) : error
      })
      for await (const bytes of response.body ?? []) {
        signal.throwIfAborted()
        yield bytes
      }
    },

    async remove(key) {
      await s3.deleteObject(key).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    },

    removeUnfinished: (before, signal) => abortUnfinishedUploads(s3, before, signal),
  }
}

type Uploads = Pick<S3mini, 'listMultipartUploads' | 'abortMultipartUpload'>

const uploadSchema = z.object({ Key: z.string(), UploadId: z.string().min(1), Initiated: z.coerce.date() })

/** A list of one element is not an array, and an empty one is absent. */
const elementsOf = (element: z.ZodType) =>
  z.preprocess((given) => (given === undefined ? [] : Array.isArray(given) ? given : [given]), z.array(element))

const pageSchema = z.object({
  ListMultipartUploadsResult: z.object({
    Upload: elementsOf(uploadSchema) as z.ZodType<z.infer<typeof uploadSchema>[]>,
    IsTruncated: z.string().default('false'),
    NextKeyMarker: z.string().default(''),
    NextUploadIdMarker: z.string().default(''),
  }),
})

async function* listUploads(s3: Uploads) {
  for (let markers: Record<string, string> = {}; ; ) {
    // The library returns the parsed XML, in which the result has the name that Amazon gives it.
    const page = pageSchema.parse(await s3.listMultipartUploads('/', '', 'GET', markers))
    const { Upload: uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = page.ListMultipartUploadsResult
    yield* uploads
    if (IsTruncated !== 'true' || NextKeyMarker === '') return
    markers = { 'key-marker': NextKeyMarker, 'upload-id-marker': NextUploadIdMarker }
  }
}

/**
 * Aborts the uploads of recordings that began before this time, and no other uploads of the bucket. Resolves with their number.
 * Rejects when the key may not list uploads, when the service does not support the request, and with the reason of the signal.
 */
const abortUnfinishedUploads = async (s3: Uploads, before: Date, signal: AbortSignal): Promise<number> => {
  let aborted = 0
  for await (const { Key: key, UploadId: id, Initiated: begun } of listUploads(s3)) {
    signal.throwIfAborted()
    if (begun >= before || !isRecordingKey(key)) continue
    // Another instance may have aborted it first.
    const isAborted = await s3.abortMultipartUpload(key, id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof S3ServiceError && error.status === 404) return false
        throw error
      },
    )
    if (isAborted) aborted += 1
  }
  return aborted
}
