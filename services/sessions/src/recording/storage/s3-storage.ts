import { concatBytes } from '@parlance/audio'
import { S3mini, S3ServiceError, type UploadPart } from 's3mini'
import { ObjectMissingError, type RecordingStorage, type RecordingWriter } from './recording-storage.js'
import { abortUnfinishedUploads } from './unfinished-uploads.js'

export interface S3Options {
  /** The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/recordings`. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The protocol permits no smaller part but the last. */
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
