import type { IncomingMessage } from 'node:http'

/** The URL at which clients reach a path. */
export type PublicUrl = (req: IncomingMessage, path: string) => string

/** From headers of the request. A client that forges them only gets a wrong URL itself. */
const originOf = (req: IncomingMessage): string => {
  const scheme = req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${req.headers.host ?? 'localhost'}`
}

/** `publicUrl` is a base such as `https://speech.example.com`. When it is left out, the base is that of the request. */
export const createPublicUrl =
  (publicUrl: string | undefined): PublicUrl =>
  (req, path) =>
    `${publicUrl ?? originOf(req)}${path}`

export const createWebSocketUrl = (publicUrl: string | undefined): PublicUrl => {
  const url = createPublicUrl(publicUrl)
  return (req, path) => url(req, path).replace(/^http/, 'ws')
}
