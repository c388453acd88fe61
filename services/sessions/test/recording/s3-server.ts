import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { S3Options } from '../../src/recording/storage/s3-storage.js'

interface S3rverInstance {
  configureBuckets(): Promise<void>
  callback(): RequestListener
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rverInstance

/** A server with the protocol of S3 and a bucket in `folder`. It does not know how uploads are aborted, which is answered here. */
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
  const server = createServer((req, res) => {
    const uploadId = new URL(req.url!, 'http://localhost').searchParams.get('uploadId')
    if (req.method !== 'DELETE' || uploadId === null) return answer(req, res)
    abortedUploads.push(uploadId)
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const options: S3Options = {
    url: `http://127.0.0.1:${port}/audio`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  return {
    options,
    abortedUploads: abortedUploads as readonly string[],
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
