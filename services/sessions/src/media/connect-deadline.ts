import type { Transport } from './transport.js'

/** A conversation that was started and never connected frees its slot within 8 s; what is left is for its record. */
const connectWithinMs = 7_500

/**
 * The same transport, which loses a peer that has not connected in time, however often it tries. `onNeverConnected` is called
 * for a peer that is lost before it has connected.
 */
export const withConnectDeadline = (transport: Transport, onNeverConnected: () => void): Transport => {
  let phase: 'connecting' | 'connected' | 'over' = 'connecting'
  let deadline: NodeJS.Timeout | undefined

  const enter = (next: 'connected' | 'over'): void => {
    clearTimeout(deadline)
    phase = next
  }

  return {
    ...transport,
    listen(listener) {
      const lose: typeof listener.onLost = (reason) => {
        if (phase === 'over') return
        const wasConnected = phase === 'connected'
        enter('over')
        if (!wasConnected) onNeverConnected()
        listener.onLost(reason)
      }
      deadline = setTimeout(() => lose(transport.kind === 'webrtc' ? 'ice_failed' : 'connection_lost'), connectWithinMs)
      transport.listen({
        ...listener,
        onOpen() {
          if (phase !== 'connecting') return
          enter('connected')
          listener.onOpen()
        },
        onLost: lose,
      })
    },
    async close() {
      enter('over')
      await transport.close()
    },
  }
}
