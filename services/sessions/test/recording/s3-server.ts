import { readdir, readFile, rm, stat } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startLocalServer } from '@parlance/testing'
import type { S3Options } from '../../src/recording/storage/s3-storage.js'

interface S3rverInstance {
  configureBuckets(): Promise<void>
  callback(): RequestListener
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rverInstance

/** As many uploads as a page of a list has. */
const uploadsPerPage = 2

/**
 * A server with the protocol of S3 and a bucket in `folder`. It does not know how uploads are aborted and listed, which is answered
 * here from the files that it has of them.
 */
export const startS3Server = async (folder: string) => {
  const s3rver = new S3rver({
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'audio' }],
  })
  await s3rver.configureBuckets()
  const answer = s3rver.callback()
  const abortedUploads: string[] = []
  const uploadsFolder = join(folder, 'audio', '._S3rver_uploads')

  const elementOf = async (id: string): Promise<string> => {
    const path = join(uploadsFolder, id, 'key')
    const begun = (await stat(path)).mtime.toISOString()
    return `<Upload><Key>${await readFile(path, 'utf8')}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`
  }
  const listAfter = async (marker: string): Promise<string> => {
    const ids = (await readdir(uploadsFolder).catch(() => [])).sort().filter((id) => id > marker)
    const page = ids.slice(0, uploadsPerPage)
    const elements = await Promise.all(page.map(elementOf))
    const next = `<NextKeyMarker>a key</NextKeyMarker><NextUploadIdMarker>${page.at(-1)}</NextUploadIdMarker>`
    const isTruncated = ids.length > page.length
    return (
      '<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      `<Bucket>audio</Bucket><KeyMarker></KeyMarker>${isTruncated ? next : ''}<IsTruncated>${isTruncated}</IsTruncated>` +
      `${elements.join('')}</ListMultipartUploadsResult>`
    )
  }

  const { url, close } = await startLocalServer(async (req, res) => {
    const { searchParams, pathname } = new URL(req.url!, 'http://localhost')
    const uploadId = searchParams.get('uploadId')
    if (req.method === 'DELETE' && uploadId !== null) {
      abortedUploads.push(uploadId)
      await rm(join(uploadsFolder, uploadId), { recursive: true, force: true })
      return res.writeHead(204).end()
    }
    if (req.method === 'GET' && searchParams.has('uploads') && pathname === '/audio/') {
      return res.end(await listAfter(searchParams.get('upload-id-marker') ?? ''))
    }
    return answer(req, res)
  })
  const options: S3Options = {
    url: `${url}/audio`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  return {
    options,
    abortedUploads: abortedUploads as readonly string[],
    stop: close,
  }
}
