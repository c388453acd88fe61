/**
 * A peer over WebRTC that may come again over another connection, as a browser does whose network has changed.
 *
 * - The library cannot restart ICE: an offer that asks for it is answered by a second connection beside the first, which takes its
 *   place when it is open. Until then the first one serves.
 * - The peer sees other keys, to which it shakes hands anew, and no data channel: it has to open that again.
 * - It is lost when neither is left. What it would have been told between the two is kept for it.
 */
import { ServiceError, type SessionServerEvent } from '@parlance/contracts'
import type { LossReason, Transport, TransportListener } from '../transport.js'
import type { WebRtcTransport } from './webrtc-transport.js'

export interface RestartableTransport extends Transport {
  readonly kind: 'webrtc'
  addRemoteCandidate(candidate: string): void
  /** The answer to an offer that restarts ICE. Throws `ServiceError('invalid_sdp')`, and goes on as before then. */
  restart(offer: string): string
}

/** Of events for a peer that is on its way; later ones are dropped. */
const mostMissed = 500

/** `accept` opens one connection. Throws what that throws. */
export const createRestartableTransport = (
  accept: (offer: string) => { readonly transport: WebRtcTransport; readonly answer: string },
  offer: string,
): { readonly transport: RestartableTransport; readonly answer: string } => {
  let listener: TransportListener | undefined
  let coming: WebRtcTransport | undefined
  /** Why the current one is gone, while another is coming. */
  let gone: LossReason | undefined
  let missed: SessionServerEvent[] = []
  let opened = false
  let closed = false

  const change = (to: WebRtcTransport): void => {
    void current.close()
    current = to
    coming = undefined
    gone = undefined
    for (const event of missed.splice(0)) current.send(event)
  }

  const listenTo = (one: WebRtcTransport): void =>
    one.listen({
      onOpen() {
        if (one === coming) change(one)
        if (!opened) listener?.onOpen()
        opened = true
      },
      onAudio(frame) {
        if (one === current) listener?.onAudio(frame)
      },
      onEvent(event) {
        if (one === current) listener?.onEvent(event)
      },
      onLost(reason) {
        if (one === current && coming !== undefined) gone = reason
        else if (one === current) listener?.onLost(reason)
        else if (one === coming) {
          coming = undefined
          if (gone !== undefined) listener?.onLost(gone)
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
      if (gone === undefined) current.send(event)
      else if (missed.length < mostMissed) missed.push(event)
    },
    playFrame: (frame) => current.playFrame(frame),
    addRemoteCandidate: (candidate) => (coming ?? current).addRemoteCandidate(candidate),
    restart(again) {
      if (closed) throw new ServiceError('session_ended', 'This session has ended.')
      const next = accept(again)
      void coming?.close()
      coming = next.transport
      listenTo(coming)
      return next.answer
    },
    async close() {
      closed = true
      listener = undefined
      missed = []
      await Promise.all([current.close(), coming?.close()])
    },
  }
  return { transport, answer: first.answer }
}
