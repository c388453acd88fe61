import type { IncomingMessage } from 'node:http'
import { sessionSocketAddressOf } from './session-socket/session-socket-server.js'
import { streamPath } from './stream/stream-path.js'
import type { Upgrade } from './websocket/upgrade.js'

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] as string

/** Whether there is a WebSocket at the path of a request. */
export const leadsToWebSocket = (req: IncomingMessage): boolean => {
  const path = pathOf(req)
  return path === streamPath || sessionSocketAddressOf(path) !== undefined
}

/** Passes an upgrade at one of these paths to the server of that path. */
export const createUpgrade =
  ({ streams, sessions }: { streams: Upgrade; sessions: Upgrade }): Upgrade =>
  (req, socket, head) =>
    (pathOf(req) === streamPath ? streams : sessions)(req, socket, head)
