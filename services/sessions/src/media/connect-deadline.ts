import type { Transport } from './transport.js'

/** A conversation that never connects must free its permit within 8 s. The difference is for the end of its record. */
const connectTimeoutMs = 7_500

/**
 * Wraps a transport so that a peer that has not connected in time is lost. `onNeverConnected` is called for every peer that is
 * lost before it has connected.
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
      deadline = setTimeout(
        () => lose(transport.kind === 'webrtc' ? 'ice_failed' : 'connection_lost'),
        connectTimeoutMs,
      )
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
