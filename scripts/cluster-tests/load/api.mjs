import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** The folder of Parlance in the image. */
const home = '/opt/parlance'
/** The gateway. */
export const url = process.env.PARLANCE_URL
export const socketUrl = url.replace(/^http/, 'ws')

/** A package that a service depends on. */
export const packageOf = (service, name) => createRequire(`${home}/services/${service}/`)(name)

/** The `Authorization` of a new workspace. */
export const newAuthorization = async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `${home}/cli/bin/parlance.mjs`,
    ...['workspace', 'create', 'load', '--credit', '1000', '--key', 'load', '--json'],
  ])
  return `Bearer ${JSON.parse(stdout).key.key}`
}

/** Resolves to the body. Rejects for a status other than success, and after 30 s. There are no retries. */
export const call = async (authorization, method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${bytes}`)
  return bytes
}

export const callJson = async (...request) => JSON.parse(await call(...request))
