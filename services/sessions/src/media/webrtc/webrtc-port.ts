import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { IceUdpMuxListener, preload } from 'node-datachannel'
import type { FrameClock } from '../playback/frame-clock.js'
import { acceptPeer, type WebRtcTransport } from './webrtc-transport.js'

export interface WebRtcPortOptions {
  /** An address of this machine; `0.0.0.0` for all of them. */
  readonly bindAddress: string
  /** 0 for any that is free. */
  readonly port: number
  /** An IP address under which peers reach this machine, where it does not know it itself. */
  readonly announcedAddress?: string | undefined
  readonly frameClock: FrameClock
  /** Of Opus, from 0 to 10: 5 takes about 0.08 ms for each 20 ms, 8 four times as long. */
  readonly opusComplexity?: number | undefined
  /** Of what a peer is sent, in bits per second. */
  readonly opusBitRate?: number | undefined
  /** After which a peer that has not got through is lost, for `ice_failed`. */
  readonly connectTimeoutMs?: number | undefined
  /** After which a peer of which nothing was heard is lost, for `connection_lost`. */
  readonly livenessTimeoutMs?: number | undefined
}

export interface AcceptOptions {
  /** The offer of a peer, as SDP. */
  readonly offer: string
  /** Whether the offer must have an audio line; with one that it need not have it is used all the same. */
  readonly needsAudio: boolean
  /** Named in the errors that the peer is told. */
  readonly requestId: string
}

/** One UDP port, over which all peers of this process come. No other machine is asked anything. */
export interface WebRtcPort {
  readonly port: number
  /**
   * Answers an offer; the answer is complete, later candidates are not needed. `listen` is to be called before the event loop
   * turns. Throws `ServiceError('invalid_sdp')`.
   */
  accept(options: AcceptOptions): { readonly transport: WebRtcTransport; readonly answer: string }
  /** Peers that are still there. */
  peers(): number
  /** Hangs up on those that are still there, and frees the port. */
  close(): Promise<void>
}

/** Rejects when the port is not to be had. */
export const openWebRtcPort = async (options: WebRtcPortOptions): Promise<WebRtcPort> => {
  const { bindAddress, announcedAddress, frameClock } = options
  if (announcedAddress !== undefined && isIP(announcedAddress) === 0) {
    throw new Error(`The announced address must be an IP address: ${announcedAddress}`)
  }
  const port = await bindable(bindAddress, options.port)
  // What the library does once for all would else hold up the first peer for 50 ms.
  preload()
  // It holds the port while no peer is there.
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

/** The port, after it was seen to be free: the library would not say why it is not. */
const bindable = (address: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    socket.once('error', reject)
    socket.bind({ port, address, exclusive: true }, () => {
      const bound = socket.address().port
      socket.close(() => resolve(bound))
    })
  })
