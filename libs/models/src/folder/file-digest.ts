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

/** What is known of a file before it is downloaded; null where it is not known. Digests are in hexadecimal. */
export interface PublishedFacts {
  readonly sizeBytes: number | null
  readonly md5: string | null
  readonly sha256: string | null
}

/** The first difference between a file and the known facts, in words; undefined when there is none. */
export const contradictionOf = (digest: FileDigest, facts: PublishedFacts): string | undefined => {
  if (facts.sizeBytes !== null && digest.sizeBytes !== facts.sizeBytes) {
    return `it has ${digest.sizeBytes} bytes instead of ${facts.sizeBytes}`
  }
  if (facts.sha256 !== null && digest.sha256 !== facts.sha256) {
    return `its SHA-256 is ${digest.sha256} instead of ${facts.sha256}`
  }
  if (facts.md5 !== null && digest.md5 !== facts.md5) return `its MD5 is ${digest.md5} instead of ${facts.md5}`
  return undefined
}
