import { type S3mini, S3ServiceError } from 's3mini'
import { z } from 'zod'
import { isRecordingKey } from './recording-storage.js'

export type Uploads = Pick<S3mini, 'listMultipartUploads' | 'abortMultipartUpload'>

const uploadSchema = z.object({ Key: z.string(), UploadId: z.string().min(1), Initiated: z.coerce.date() })

/** One element is not in an array, and none is absent. */
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
    // The library returns the parsed XML where the result has the name that Amazon gives it.
    const page = pageSchema.parse(await s3.listMultipartUploads('/', '', 'GET', markers))
    const { Upload: uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = page.ListMultipartUploadsResult
    yield* uploads
    if (IsTruncated !== 'true' || NextKeyMarker === '') return
    markers = { 'key-marker': NextKeyMarker, 'upload-id-marker': NextUploadIdMarker }
  }
}

/**
 * Aborts the uploads of recordings that began before this time, and no other uploads of the bucket. Resolves with their number.
 * Rejects where the key may not list uploads, where the service does not know the request, and with the reason of the signal.
 */
export const abortUnfinishedUploads = async (s3: Uploads, before: Date, signal: AbortSignal): Promise<number> => {
  let aborted = 0
  for await (const { Key: key, UploadId: id, Initiated: begun } of listUploads(s3)) {
    signal.throwIfAborted()
    if (begun >= before || !isRecordingKey(key)) continue
    // Another instance may have aborted it meanwhile.
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
