import { readFile } from 'node:fs/promises'
import { ServiceError } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { z } from 'zod'
import { sendTagged } from '../../http/entity-tag.js'
import { apiHeaders, sendJson } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

/** Where `npm run pack` writes. */
const folder = new URL('../../../../../dist/packages/', import.meta.url)

const packedSchema = z.object({
  name: z.string().meta({ example: '@parlance/client' }),
  version: z.string(),
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  integrity: z.string(),
})

const packageListSchema = z.object({
  packages: z.array(
    packedSchema.omit({ file: true }).extend({
      url: z.url().meta({ description: 'The tarball of this installation. After an upgrade it is another one.' }),
      version_url: z.url().meta({ description: 'The same, at an address that never serves another one.' }),
      integrity: z.string().meta({ description: 'As in the lock file of npm.' }),
    }),
  ),
})

type Packed = z.infer<typeof packedSchema> & { readonly tarball: Buffer }

const fileOfVersion = ({ file, version, sha256 }: Packed): string =>
  file.replace(/\.tgz$/, `-${version}-${sha256.slice(0, 8)}.tgz`)

/** The tarballs fit the list, so all are read at once. Rejects when there are none. */
const readPackages = async (): Promise<Packed[]> => {
  const index = JSON.parse(await readFile(new URL('index.json', folder), 'utf8'))
  const { packages } = z.object({ packages: z.array(packedSchema) }).parse(index)
  return Promise.all(packages.map(async (one) => ({ ...one, tarball: await readFile(new URL(one.file, folder)) })))
}

let read: Promise<Packed[]> | undefined
const findPackages = (): Promise<Packed[]> => {
  read ??= readPackages().catch((cause) => {
    read = undefined
    throw new ServiceError('not_found', 'The packages are not built. Run `npm run build`.', { cause })
  })
  return read
}

const sendTarball = (req: Request, res: Response, { tarball, sha256 }: Packed, cacheControl: string): void =>
  sendTagged(req, res, apiHeaders(req.id, 'application/gzip', cacheControl), `"${sha256}"`, tarball)

const headers = { etag: z.string(), 'cache-control': z.string() }

/** The packages for integrators, in the version of this installation. */
export const packages: readonly Route[] = [
  {
    method: 'get',
    path: '/packages',
    authentication: noAuthentication,
    operationId: 'listPackages',
    tag: 'Operations',
    summary: 'List the packages for integrators',
    description:
      'Each can be installed by its address: `npm install https://speech.example.com/packages/client.tgz`, and ' +
      '`pip install https://speech.example.com/packages/python.tgz` for the one of Python.',
    responses: { 200: json('The packages, in the version of this installation.', packageListSchema) },
    errors: ['not_found'],
    createHandler:
      ({ publicUrl }) =>
      async (req, res) => {
        const list = (await findPackages()).map((packed) => {
          const { tarball: _, file, ...entry } = packed
          const urlOf = (name: string) => publicUrl(req, `/packages/${name}`)
          return { ...entry, url: urlOf(file), version_url: urlOf(fileOfVersion(packed)) }
        })
        sendJson(req, res, JSON.stringify({ packages: list }), 'no-cache')
      },
  },
  {
    method: 'get',
    path: '/packages/:file',
    authentication: noAuthentication,
    operationId: 'getPackage',
    tag: 'Operations',
    summary: 'Get the tarball of a package',
    description: 'With `If-None-Match` the answer may be 304.',
    request: { params: z.object({ file: z.string().meta({ example: 'client.tgz' }) }) },
    responses: {
      200: {
        description: 'The tarball, as npm or pip installs it.',
        headers,
        content: { 'application/gzip': { schema: z.string().meta({ format: 'binary' }) } },
      },
      304: { description: 'Not modified.', headers },
    },
    errors: ['invalid_request', 'not_found'],
    createHandler: () => async (req, res) => {
      const name = String(req.params.file)
      const known = await findPackages()
      const latest = known.find(({ file }) => file === name)
      const versioned = known.find((packed) => fileOfVersion(packed) === name)
      if (latest !== undefined) sendTarball(req, res, latest, 'no-cache')
      else if (versioned !== undefined) sendTarball(req, res, versioned, 'public, max-age=31536000, immutable')
      else throw new ServiceError('not_found', 'There is nothing at this path.')
    },
  },
]
