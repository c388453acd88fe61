/**
 * One peer over WebRTC.
 *
 * - The library calls back from its own threads by way of the event loop, even after a close, so every callback checks `phase`.
 * - The library's objects are garbage-collected while in use unless they are referenced here. It frees channels and tracks only
 *   after it has called their `onClosed`, so each needs such a callback; otherwise the process would not exit.
 * - Time is counted in ticks of the frame clock, so that a process that was suspended does not lose all its peers.
 * - Packets and events of the peer show that it is alive. A peer without audio must send `ping` at least every 5 s: the library
 *   does not expose its consent checks, and reports a dead peer only after 28 s.
 */
import { ServiceError } from '@parlance/contracts'
import { type DataChannel, PeerConnection } from 'node-datachannel'
import { frameMs, type LossReason, type Transport, type TransportListener } from '../transport.js'
import { type AudioTrack, openAudioTrack } from './audio-track.js'
import { type EventChannel, openEventChannel } from './event-channel.js'
import {
  announceAddress,
  firstMid,
  type Offer,
  parseOffer,
  usableCandidate,
  writeOffer,
} from './session-description.js'
import type { AcceptOptions, WebRtcPortOptions } from './webrtc-port.js'

export interface WebRtcTransport extends Transport<object> {
  readonly kind: 'webrtc'
  /**
   * Adds a candidate that the peer found after its offer. Candidates over TCP and with host names are ignored. Throws
   * `ServiceError('invalid_sdp')`.
   */
  addRemoteCandidate(candidate: string): void
}

interface PeerOptions extends Required<WebRtcPortOptions>, AcceptOptions {
  readonly channelLabel: string
  /** Called once, when the connection is freed. */
  readonly onGone: () => void
}

/**
 * How long the last messages may take to arrive after a close, unless the peer disconnects before: the library does not report
 * when they have. The data channel is closed after `channelCloseMs`.
 */
const lingerMs = 500
const channelCloseMs = 60

/** Throws `ServiceError('invalid_sdp')`; all resources are then released. */
export const acceptPeer = (options: PeerOptions): { transport: WebRtcTransport; answer: string } => {
  const { requestId } = options
  const offer = parseOffer(options.offer, options)
  const connection = openConnection(options)

  let phase: 'connecting' | 'open' | 'lingering' | 'gone' = 'connecting'
  /** Ticks since the phase began; in the phase `open`, since the last packet or event of the peer. */
  let ticks = 0
  let listener: TransportListener | undefined
  let events: EventChannel | undefined
  let resolveGone = () => {}
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve
  })

  const enter = (next: typeof phase): void => {
    phase = next
    ticks = 0
  }
  const noteActivity = (): void => {
    if (phase === 'open') ticks = 0
  }

  const { track, answer } = answerOffer(connection, offer, { ...options, onPacket: noteActivity })

  const free = (): void => {
    if (phase === 'gone') return
    enter('gone')
    stopTicks()
    track?.close()
    events?.close()
    connection.close()
    options.onGone()
    resolveGone()
  }

  const lose = (reason: LossReason): void => {
    if (phase === 'gone') return
    free()
    listener?.onLost(reason)
  }

  connection.onDataChannel((offered) => {
    if (phase !== 'connecting' || offered.getLabel() !== options.channelLabel) return refuseChannel(offered)
    events = openEventChannel({
      channel: offered,
      requestId,
      isOpen: () => phase === 'open',
      onActivity: noteActivity,
      onEvent: (event) => listener?.onEvent(event),
      raw: () => listener?.raw,
      onClosed: () => {
        if (phase === 'open') lose('user_disconnected')
      },
      onLost: () => lose('connection_lost'),
    })
    enter('open')
    listener?.onOpen()
  })

  connection.onStateChange((state) => {
    if (state === 'failed') lose(phase === 'connecting' ? 'ice_failed' : 'connection_lost')
    if (state === 'closed') lose('user_disconnected')
  })

  const stopTicks = options.frameClock.onTick(() => {
    const ms = ++ticks * frameMs
    if (phase === 'connecting' && ms >= options.connectTimeoutMs) lose('ice_failed')
    if (phase === 'open' && ms >= options.livenessTimeoutMs) lose('connection_lost')
    const frames = phase === 'open' ? (track?.receivedFrames() ?? []) : []
    // A frame may end the conversation.
    for (const frame of frames) if (phase === 'open') listener?.onAudio(frame)
    // Some peers drop messages that they have not read when the channel closes, so it closes a little later.
    if (phase === 'lingering' && ms === channelCloseMs) events?.close()
    if (phase === 'lingering' && ms >= lingerMs) free()
  })

  const transport: WebRtcTransport = {
    kind: 'webrtc',
    listen(given) {
      listener = given
    },
    send: (event) => events?.send(event),
    playFrame(frame) {
      if (phase === 'open') track?.playFrame(frame)
    },
    addRemoteCandidate(candidate) {
      // An empty candidate marks the end of the candidates.
      if (phase !== 'gone' && candidate !== '') addCandidate(connection, offer, candidate)
    },
    close() {
      listener = undefined
      if (phase === 'open') enter('lingering')
      else if (phase === 'connecting') free()
      return gone
    },
  }
  return { transport, answer }
}

const openConnection = ({ requestId, bindAddress, port }: PeerOptions): PeerConnection =>
  new PeerConnection(requestId, {
    iceServers: [],
    bindAddress,
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    disableAutoNegotiation: true,
    // More than the contract allows, so that a longer message gets an error and does not end the connection.
    maxMessageSize: 256 * 1024,
  })

const answerOffer = (
  connection: PeerConnection,
  offer: Offer,
  options: PeerOptions & { readonly onPacket: () => void },
): { track: AudioTrack | undefined; answer: string } => {
  let track: AudioTrack | undefined
  try {
    if (offer.audio !== undefined) {
      track = openAudioTrack({ connection, line: offer.audio, onPacket: options.onPacket })
    }
    connection.setRemoteDescription(writeOffer(offer), 'offer')
    connection.setLocalDescription('answer')
    // Only the machine's own addresses are candidates, so that they are known at once.
    const answer = connection.localDescription()?.sdp
    if (answer?.includes('a=candidate:') !== true) throw new Error('The answer has no candidates')
    const { announcedAddress } = options
    return { track, answer: announcedAddress === undefined ? answer : announceAddress(answer, announcedAddress) }
  } catch (error) {
    track?.close()
    // The library frees the connection after it has called this.
    connection.onStateChange(() => {})
    connection.close()
    throw new ServiceError('invalid_sdp', 'The offer cannot be answered.', { cause: error })
  }
}

const refuseChannel = (channel: DataChannel): void => {
  // The library frees a channel after it has called this.
  channel.onClosed(() => {})
  channel.close()
}

/** Throws `ServiceError('invalid_sdp')`. */
const addCandidate = (connection: PeerConnection, offer: Offer, candidate: string): void => {
  if (!/^(a=)?candidate:/.test(candidate)) throw new ServiceError('invalid_sdp', 'This is not a candidate.')
  const usable = usableCandidate(candidate)
  if (usable === undefined) return
  try {
    connection.addRemoteCandidate(usable, firstMid(offer))
  } catch (error) {
    throw new ServiceError('invalid_sdp', 'This candidate cannot be used.', { cause: error })
  }
}
