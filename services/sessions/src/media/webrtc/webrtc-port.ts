import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { sessionChannelLabel } from '@parlance/contracts'
import { IceUdpMuxListener, preload } from 'node-datachannel'
import type { FrameClock } from '../playback/frame-clock.js'
import { acceptPeer, type WebRtcTransport } from './webrtc-transport.js'

export interface WebRtcPortOptions {
  /** An address of this machine; `0.0.0.0` for all of them. */
  readonly bindAddress: string
  /** 0 for any free port. */
  readonly port: number
  /** The IP address by which peers reach this machine when it is not one of its own, such as behind a NAT. */
  readonly announcedAddress?: string | undefined
  readonly frameClock: FrameClock
  /** A peer that has not connected after this time is lost with `ice_failed`. Default 14,000. */
  readonly connectTimeoutMs?: number
  /** A peer that has sent nothing for this time is lost with `connection_lost`. Default 12,000. */
  readonly livenessTimeoutMs?: number
}

export interface AcceptOptions {
  /** The offer of a peer, as SDP. */
  readonly offer: string
  /** Whether an offer without an audio line is refused. */
  readonly needsAudio: boolean
  /** Of the data channel, which the peer opens. Default: `awp-events`. */
  readonly channelLabel?: string | undefined
  /** The request id in the errors for the peer. */
  readonly requestId: string
}

/** One UDP port for all peers of this process. No STUN or TURN server is used. */
export type WebRtcPort = Awaited<ReturnType<typeof openWebRtcPort>>

/** Rejects when the port is not free. */
export const openWebRtcPort = async (options: WebRtcPortOptions) => {
  const { bindAddress, announcedAddress } = options
  if (announcedAddress !== undefined && isIP(announcedAddress) === 0) {
    throw new Error(`The announced address must be an IP address: ${announcedAddress}`)
  }
  const port = await bindable(bindAddress, options.port)
  // The library's initialization would delay the first peer by 50 ms.
  preload()
  // The listener keeps the port while there is no peer.
  const listener = new IceUdpMuxListener(port, bindAddress)
  const peers = new Set<WebRtcTransport>()

  return {
    port,
    /**
     * Answers an offer. The answer contains all candidates. `listen` of the transport must be called in the same tick. Throws
     * `ServiceError('invalid_sdp')`.
     */
    accept(request: AcceptOptions): { readonly transport: WebRtcTransport; readonly answer: string } {
      const accepted = acceptPeer({
        ...{ connectTimeoutMs: 14_000, livenessTimeoutMs: 12_000 },
        ...{ announcedAddress, ...options, port },
        ...request,
        channelLabel: request.channelLabel ?? sessionChannelLabel,
        onGone: () => peers.delete(accepted.transport),
      })
      peers.add(accepted.transport)
      return accepted
    },
    /** The number of connected and connecting peers. */
    peers: (): number => peers.size,
    /** Closes all connections and frees the port. */
    async close() {
      await Promise.all([...peers].map((peer) => peer.close()))
      listener.stop()
    },
  }
}

/** Binds the port and frees it again, since the library does not report why it cannot bind. */
const bindable = (address: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    socket.once('error', reject)
    socket.bind({ port, address, exclusive: true }, () => {
      const bound = socket.address().port
      socket.close(() => resolve(bound))
    })
  })
