import type { Request } from 'express'

/** Where callers reach a path. */
export type PublicUrl = (req: Request, path: string) => string

/** The same over a WebSocket. */
export type WebSocketUrl = PublicUrl

/** A caller can only mislead himself by what he sends here. */
const originOf = (req: Request): string => {
  const scheme = req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${req.headers.host ?? 'localhost'}`
}

/** `publicUrl` such as `https://speech.example.com`; as a request has it when left out. */
export const createPublicUrl =
  (publicUrl: string | undefined): PublicUrl =>
  (req, path) =>
    `${publicUrl ?? originOf(req)}${path}`

export const createWebSocketUrl = (publicUrl: string | undefined): WebSocketUrl => {
  const url = createPublicUrl(publicUrl)
  return (req, path) => url(req, path).replace(/^http/, 'ws')
}
