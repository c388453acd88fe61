/**
 * One peer over WebRTC.
 *
 * - The library calls from its own threads by way of the event loop, also after it was closed: `phase` guards everything.
 * - Its objects live as long as somebody here refers to them; what is not kept would be collected while in use. It lets go of
 *   channels and tracks when it has called their `onClosed`: without one they would stay, and the process with them.
 * - Time is counted in ticks, so that a process that was stopped does not take its own absence for that of all its peers.
 * - Signs of life are what the peer sends: RTP, RTCP, events. One without audio has to send `ping` at least every 5 s, for the
 *   library does not show its consent checks, and notices a dead peer only after 28 s.
 */
import { errorBody, ServiceError, type SessionServerEvent, sessionChannelLabel } from '@parlance/contracts'
import { type DataChannel, PeerConnection } from 'node-datachannel'
import { createClientEventReader } from '../client-event-reader.js'
import type { FrameClock } from '../playback/frame-clock.js'
import { frameMs, type LossReason, type Transport, type TransportListener } from '../transport.js'
import { announceAddress } from './announced-address.js'
import { type AudioTrack, openAudioTrack } from './audio-track.js'
import { firstMid, type Offer, parseOffer, usableCandidate, writeOffer } from './session-description.js'

export interface WebRtcTransport extends Transport {
  readonly kind: 'webrtc'
  /** Whether the peer may be heard, or hear: it offered an audio line. */
  readonly hasAudio: boolean
  /** One that was gathered late. Those that cannot be used here, TCP and names, change nothing. Throws `ServiceError('invalid_sdp')`. */
  addRemoteCandidate(candidate: string): void
}

export interface PeerOptions {
  readonly offer: string
  readonly needsAudio: boolean
  readonly requestId: string
  readonly bindAddress: string
  readonly port: number
  readonly announcedAddress: string | undefined
  readonly frameClock: FrameClock
  readonly opusComplexity: number
  readonly opusBitRate: number
  readonly connectTimeoutMs: number
  readonly livenessTimeoutMs: number
  /** Once, when nothing of the peer is left. */
  readonly onGone: () => void
}

/** Events that wait for a peer that does not read them; more, and it is lost. */
const mostBufferedBytes = 1024 * 1024
/**
 * How long what was sent last may take to come through, unless the peer hangs up sooner: the library does not tell when it has.
 * For the first part of it a peer may read.
 */
const lingerMs = 500
const readMs = 60

/** Throws `ServiceError('invalid_sdp')`, and leaves nothing then. */
export const acceptPeer = (options: PeerOptions): { transport: WebRtcTransport; answer: string } => {
  const { requestId } = options
  const offer = parseOffer(options.offer, options)
  const connection = openConnection(options)

  let phase: 'connecting' | 'open' | 'lingering' | 'gone' = 'connecting'
  /** Since the phase began; while it is open, since the last sign of life. */
  let ticks = 0
  let listener: TransportListener | undefined
  let channel: DataChannel | undefined
  let tellGone = () => {}
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve
  })

  const enter = (next: typeof phase): void => {
    phase = next
    ticks = 0
  }
  const seeSign = (): void => {
    if (phase === 'open') ticks = 0
  }

  const { track, answer } = answerOffer(connection, offer, { ...options, onPacket: seeSign })

  const free = (): void => {
    if (phase === 'gone') return
    enter('gone')
    stopTicks()
    track?.close()
    channel?.close()
    connection.close()
    options.onGone()
    tellGone()
  }

  const lose = (reason: LossReason): void => {
    if (phase === 'gone') return
    free()
    listener?.onLost(reason)
  }

  const send = (event: SessionServerEvent): void => {
    if (phase !== 'open' || channel === undefined) return
    try {
      channel.sendMessage(JSON.stringify(event))
      if (channel.bufferedAmount() <= mostBufferedBytes) return
    } catch {
      // It closed in this very moment.
    }
    // Not from within the caller's own call.
    queueMicrotask(() => lose('connection_lost'))
  }

  const reader = createClientEventReader({
    onEvent: (event) => listener?.onEvent(event),
    onError: (error) => send(errorBody(error, requestId)),
  })

  connection.onDataChannel((offered) => {
    if (phase !== 'connecting' || offered.getLabel() !== sessionChannelLabel) {
      offered.onClosed(() => {})
      offered.close()
      return
    }
    channel = offered
    channel.onClosed(() => {
      if (phase === 'open') lose('user_disconnected')
    })
    channel.onMessage((message) => {
      if (phase !== 'open') return
      seeSign()
      if (typeof message === 'string') reader.read(message)
      else reader.refuseBinary()
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
    if (phase === 'open' && track !== undefined) listener?.onAudio(track.heardFrame())
    // A stream is closed once all that went over it has come through; some peers forget what they have not read by then.
    if (phase === 'lingering' && ms === readMs) channel?.close()
    if (phase === 'lingering' && ms >= lingerMs) free()
  })

  const transport: WebRtcTransport = {
    kind: 'webrtc',
    hasAudio: track !== undefined,
    listen(given) {
      listener = given
    },
    send,
    playFrame(frame) {
      if (phase === 'open') track?.playFrame(frame)
    },
    addRemoteCandidate(candidate) {
      // The empty one says that there are no more.
      if (phase === 'gone' || candidate === '') return
      if (!/^(a=)?candidate:/.test(candidate)) throw new ServiceError('invalid_sdp', 'This is not a candidate.')
      const usable = usableCandidate(candidate)
      if (usable === undefined) return
      try {
        connection.addRemoteCandidate(usable, firstMid(offer))
      } catch (error) {
        throw new ServiceError('invalid_sdp', 'This candidate cannot be used.', { cause: error })
      }
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
    // More than what is allowed, so that it is refused with an error and not by hanging up.
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
      track = openAudioTrack({
        connection,
        line: offer.audio,
        complexity: options.opusComplexity,
        bitRate: options.opusBitRate,
        onPacket: options.onPacket,
      })
    }
    connection.setRemoteDescription(writeOffer(offer), 'offer')
    connection.setLocalDescription('answer')
    // The machine's own addresses are all that there is to gather, which takes no time.
    const answer = connection.localDescription()?.sdp
    if (answer?.includes('a=candidate:') !== true) throw new Error('The answer has no candidates')
    const { announcedAddress } = options
    return { track, answer: announcedAddress === undefined ? answer : announceAddress(answer, announcedAddress) }
  } catch (error) {
    track?.close()
    // It is let go of when it has called this.
    connection.onStateChange(() => {})
    connection.close()
    throw new ServiceError('invalid_sdp', 'The offer cannot be answered.', { cause: error })
  }
}
