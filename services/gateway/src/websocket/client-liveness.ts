import type { WebSocket } from 'ws'

const maxUnansweredPings = 2

/**
 * Pings the client, and calls `onLost` when two pings were not answered: at the latest three intervals after its last pong,
 * so by default after 15 s. Stops when the socket is closed.
 */
export const watchClientLiveness = (
  socket: Pick<WebSocket, 'on' | 'once' | 'ping'>,
  onLost: () => void,
  pingIntervalMs = 5_000,
): void => {
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
