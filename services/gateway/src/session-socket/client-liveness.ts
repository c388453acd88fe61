import type { WebSocket } from 'ws'

const pingIntervalMs = 5_000
const maxUnansweredPings = 2

/** Pings the client, and calls `onLost` at the latest 15 s after its last pong. Stops when the socket is closed. */
export const watchClientLiveness = (socket: Pick<WebSocket, 'on' | 'once' | 'ping'>, onLost: () => void): void => {
  let unansweredPings = 0
  const timer = setInterval(() => {
    if (unansweredPings >= maxUnansweredPings) {
      clearInterval(timer)
      return onLost()
    }
    unansweredPings += 1
    socket.ping()
  }, pingIntervalMs)
  socket.on('pong', () => {
    unansweredPings = 0
  })
  socket.once('close', () => clearInterval(timer))
}
