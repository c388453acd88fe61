import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'

/** The server's side of a client that answers every ping. `closed` has the codes with which the server closed it. */
export const openFakeSocket = () => {
  const closed: { code: number; reason: string }[] = []
  const emitter = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    terminate() {},
    send() {},
    ping: () => emitter.emit('pong', Buffer.alloc(0)),
    close(code: number, reason: string) {
      emitter.readyState = 2
      closed.push({ code, reason })
    },
  })
  const say = (message: object) => emitter.emit('message', Buffer.from(JSON.stringify(message)), false)
  return { socket: emitter as unknown as WebSocket, closed, say }
}
