import { basename, dirname } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import { type AvatarFile, avatarFilePath, readAvatarModels } from '@parlance/models/avatars'
import type { RequestHandler } from 'express'
import { sendError } from '../http/error-response.js'
import { apiHeaders } from '../http/json-response.js'

export const avatarFilesPath = '/assets/avatars/:file'

/** What is known by its hash is the same for ever. */
const cacheControl = 'public, max-age=31536000, immutable'

/**
 * `GET /assets/avatars/<sha256>.glb`, and `.webp` for its thumbnail: to any page, without a key, whole or in ranges.
 * Every replica has the same files, so a download may go on at another one.
 */
export const createAvatarFilesHandler = (): RequestHandler => {
  const files = new Map<string, AvatarFile & { contentType: string }>()
  for (const { model, thumbnail } of readAvatarModels()) {
    files.set(`${model.sha256}.glb`, { ...model, contentType: 'model/gltf-binary' })
    files.set(`${thumbnail.sha256}.webp`, { ...thumbnail, contentType: 'image/webp' })
  }
  return (req, res, next) => {
    const file = files.get(String(req.params.file))
    if (file === undefined) throw new ServiceError('not_found', 'There is nothing at this path.')
    const headers = apiHeaders(req.id, file.contentType, cacheControl)
    for (let i = 0; i < headers.length; i += 2) res.setHeader(headers[i]!, headers[i + 1]!)
    res.setHeader('etag', `"${file.sha256}"`)
    // Pages that embed nothing foreign without its consent may still show an avatar.
    res.setHeader('cross-origin-resource-policy', 'cross-origin')
    res.sendFile(basename(avatarFilePath(file)), { ...sending, root: dirname(avatarFilePath(file)) }, (error) => {
      if (error === undefined || res.closed) return
      if ((error as { status?: number }).status === 416) sendError(req, res, badRange(file))
      else next(error)
    })
  }
}

const sending = { cacheControl: false, lastModified: false } as const

const badRange = ({ size_bytes }: AvatarFile) =>
  new ServiceError('range_not_satisfiable', `range: the file has ${size_bytes} bytes.`)
