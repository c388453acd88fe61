import { basename, dirname } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import { type AvatarFile, avatarFilePath, readAvatarModels } from '@parlance/models/avatars'
import { z } from 'zod'
import { sendError } from '../../http/error-response.js'
import { apiHeaders } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

/** A file with the hash of its content in its name never changes. */
const cacheControl = 'public, max-age=31536000, immutable'

const content = {
  'model/gltf-binary': { schema: z.string().meta({ format: 'binary' }) },
  'image/webp': { schema: z.string().meta({ format: 'binary' }) },
}
const headers = { etag: z.string(), 'cache-control': z.string() }
const contentRange = z.string().meta({ example: 'bytes 0-99/912345' })

/** Every replica has the same files, so a download may continue at another replica. */
export const getAvatarFile: Route = {
  method: 'get',
  path: '/assets/avatars/:file',
  authentication: noAuthentication,
  anyOrigin: true,
  operationId: 'avatarFile',
  tag: 'Catalogs',
  summary: 'Get an avatar, or its picture',
  description:
    'The file at `asset.url` or `thumbnail_url` of an avatar. Its name is its SHA-256, and it never changes. ' +
    'No key is needed, pages of any origin may load it, and `Range` is supported.',
  request: { params: z.object({ file: z.string().meta({ example: `${'0'.repeat(64)}.glb` }) }) },
  responses: {
    200: { description: 'The whole file.', headers, content },
    206: {
      description: 'The requested part.',
      headers: { ...headers, 'content-range': contentRange },
      content,
    },
    304: { description: 'Not modified.', headers },
  },
  errors: ['invalid_request', 'not_found', 'range_not_satisfiable'],

  createHandler: () => {
    const files = readFiles()
    return (req, res, next) => {
      const file = files.get(String(req.params.file))
      if (file === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
      const headers = apiHeaders(req.id, file.contentType, cacheControl)
      for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i]!, headers[i + 1]!)
      res.setHeader('etag', `"${file.sha256}"`)
      // Pages under `Cross-Origin-Embedder-Policy` load only files with this header.
      res.setHeader('cross-origin-resource-policy', 'cross-origin')
      const path = avatarFilePath(file)
      const options = { cacheControl: false, lastModified: false, root: dirname(path) }
      res.sendFile(basename(path), options, (error) => {
        if (error === undefined || res.closed) return
        if ((error as { status?: number }).status === 416) sendError(req, res, rangeNotSatisfiable(file))
        else next(error)
      })
    }
  },
}

const readFiles = () => {
  const files = new Map<string, AvatarFile & { contentType: string }>()
  for (const { model, thumbnail } of readAvatarModels()) {
    files.set(`${model.sha256}.glb`, { ...model, contentType: 'model/gltf-binary' })
    files.set(`${thumbnail.sha256}.webp`, { ...thumbnail, contentType: 'image/webp' })
  }
  return files
}

const rangeNotSatisfiable = ({ size_bytes }: AvatarFile) =>
  new ServiceError('range_not_satisfiable', `range: the file has ${size_bytes} bytes.`)
