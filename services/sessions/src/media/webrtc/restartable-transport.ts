/**
 * A WebRTC peer that may connect again, as a browser does after a change of its network.
 *
 * - The library cannot restart ICE, so a later offer is answered by a second connection, which replaces the first when it is
 *   open. Until then the first one is used.
 * - The peer does another DTLS handshake and opens the data channel again. Firefox does that only with another connection of its own.
 * - The peer is lost when both connections are. Events between the two are kept and sent over the second.
 */
import { ServiceError } from '@parlance/contracts'
import type { LossReason, Transport, TransportListener } from '../transport.js'
import type { WebRtcTransport } from './webrtc-transport.js'

interface RestartableTransport extends Transport<object> {
  readonly kind: 'webrtc'
  addRemoteCandidate(candidate: string): void
  /** The answer to a later offer. Throws `ServiceError('invalid_sdp')`; the first connection is then kept. */
  restart(offer: string): string
}

/** Events that are kept between two connections; later ones are dropped. */
const maxMissedEvents = 500

/** `accept` opens one connection. Throws what `accept` throws. */
export const createRestartableTransport = (
  accept: (offer: string) => { readonly transport: WebRtcTransport; readonly answer: string },
  offer: string,
): { readonly transport: RestartableTransport; readonly answer: string } => {
  let listener: TransportListener | undefined
  let next: WebRtcTransport | undefined
  /** Why the current connection was lost, while the next one is connecting. */
  let lost: LossReason | undefined
  let missed: object[] = []
  let opened = false
  let closed = false

  const switchTo = (connection: WebRtcTransport): void => {
    void current.close()
    current = connection
    next = undefined
    lost = undefined
    for (const event of missed.splice(0)) current.send(event)
  }

  const listenTo = (connection: WebRtcTransport): void =>
    connection.listen({
      get raw() {
        return listener?.raw
      },
      onOpen() {
        if (connection === next) switchTo(connection)
        if (!opened) listener?.onOpen()
        opened = true
      },
      onAudio(frame) {
        if (connection === current) listener?.onAudio(frame)
      },
      onEvent(event) {
        if (connection === current) listener?.onEvent(event)
      },
      onLost(reason) {
        if (connection === current && next !== undefined) lost = reason
        else if (connection === current) listener?.onLost(reason)
        else if (connection === next) {
          next = undefined
          if (lost !== undefined) listener?.onLost(lost)
        }
      },
    })

  const first = accept(offer)
  let current = first.transport
  listenTo(current)

  const transport: RestartableTransport = {
    kind: 'webrtc',
    listen(given) {
      listener = given
    },
    send(event) {
      if (lost === undefined) current.send(event)
      else if (missed.length < maxMissedEvents) missed.push(event)
    },
    playFrame: (frame) => current.playFrame(frame),
    addRemoteCandidate: (candidate) => (next ?? current).addRemoteCandidate(candidate),
    restart(newOffer) {
      if (closed) throw new ServiceError('session_ended', 'This session has ended.')
      const accepted = accept(newOffer)
      void next?.close()
      next = accepted.transport
      listenTo(next)
      return accepted.answer
    },
    async close() {
      closed = true
      listener = undefined
      missed = []
      await Promise.all([current.close(), next?.close()])
    },
  }
  return { transport, answer: first.answer }
}
