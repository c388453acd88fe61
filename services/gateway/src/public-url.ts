import type { Request } from 'express'

/** Where callers reach a path over a WebSocket. */
export type WebSocketUrl = (req: Request, path: string) => string

/** A caller can only mislead himself by what he sends here. */
const originOf = (req: Request): string => {
  const scheme = req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${req.headers.host ?? 'localhost'}`
}

/** `publicUrl` such as `https://speech.example.com`; as a request has it when left out. */
export const createWebSocketUrl =
  (publicUrl: string | undefined): WebSocketUrl =>
  (req, path) =>
    `${(publicUrl ?? originOf(req)).replace(/^http/, 'ws')}${path}`
