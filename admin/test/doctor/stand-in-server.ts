import type { Server } from 'node:http'
import { sendJson, startLocalServer } from '@parlance/testing'
import { WebSocketServer } from 'ws'

interface StandInOptions {
  /** The status of the response to a request for a token. Default 201. */
  readonly tokenStatus?: number
  /** The time after which a WebSocket is cut, as by a proxy, or closed with a code. Default: never. */
  readonly cutAfterMs?: number
  readonly closeCode?: number
  /** Upgrades are answered with 426. */
  readonly refusesUpgrades?: boolean
}

const acceptSockets = (server: Server, { cutAfterMs, closeCode }: StandInOptions) => {
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'awp.tts.v1' })
  sockets.on('connection', (socket) => {
    if (closeCode !== undefined) socket.close(closeCode, 'for a reason')
    if (cutAfterMs !== undefined) setTimeout(() => socket.terminate(), cutAfterMs)
  })
}

/** The part of an API behind a proxy that the checks call. */
export const openStandIn = async (options: StandInOptions = {}) => {
  const { server, url, close } = await startLocalServer((request, response) => {
    const isToken = request.url === '/v1/tts/stream-tokens' && request.headers.authorization === 'Bearer a-key'
    sendJson(response, isToken ? (options.tokenStatus ?? 201) : 401, { token: 'awtt_0123' })
  })
  if (options.refusesUpgrades) {
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n'))
  } else acceptSockets(server, options)
  return { url, close }
}
