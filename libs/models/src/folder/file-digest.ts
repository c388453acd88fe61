import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface FileDigest {
  readonly sizeBytes: number
  /** Both in hexadecimal. */
  readonly sha256: string
  readonly md5: string
}

export const digestFile = async (path: string): Promise<FileDigest> => {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    sha256.update(chunk)
    md5.update(chunk)
  }
  return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}
