import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
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
  /** From 0 to 10: 5 takes about 0.08 ms of CPU for each 20 ms, 8 four times as long. Default 5. */
  readonly opusComplexity?: number | undefined
  /** Bits per second of the audio to a peer. Default 40,000. */
  readonly opusBitRate?: number | undefined
  /** A peer that has not connected after this time is lost with `ice_failed`. Default 14,000. */
  readonly connectTimeoutMs?: number | undefined
  /** A peer that has sent nothing for this time is lost with `connection_lost`. Default 12,000. */
  readonly livenessTimeoutMs?: number | undefined
}

export interface AcceptOptions {
  /** The offer of a peer, as SDP. */
  readonly offer: string
  /** Whether an offer without an audio line is refused. */
  readonly needsAudio: boolean
  /** The request id in the errors for the peer. */
  readonly requestId: string
}

/** One UDP port for all peers of this process. No STUN or TURN server is used. */
export interface WebRtcPort {
  readonly port: number
  /**
   * Answers an offer. The answer contains all candidates. `listen` of the transport must be called in the same tick. Throws
   * `ServiceError('invalid_sdp')`.
   */
  accept(options: AcceptOptions): { readonly transport: WebRtcTransport; readonly answer: string }
  /** The number of connected and connecting peers. */
  peers(): number
  /** Closes all connections and frees the port. */
  close(): Promise<void>
}

/** Rejects when the port is not free. */
export const openWebRtcPort = async (options: WebRtcPortOptions): Promise<WebRtcPort> => {
  const { bindAddress, announcedAddress, frameClock } = options
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
    accept(request) {
      const accepted = acceptPeer({
        ...request,
        bindAddress,
        port,
        announcedAddress,
        frameClock,
        opusComplexity: options.opusComplexity ?? 5,
        opusBitRate: options.opusBitRate ?? 40_000,
        connectTimeoutMs: options.connectTimeoutMs ?? 14_000,
        livenessTimeoutMs: options.livenessTimeoutMs ?? 12_000,
        onGone: () => peers.delete(accepted.transport),
      })
      peers.add(accepted.transport)
      return accepted
    },
    peers: () => peers.size,
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
