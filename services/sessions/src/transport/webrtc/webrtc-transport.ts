/**
 * One peer over WebRTC.
 *
 * - The library calls from its own threads by way of the event loop, also after it was closed: `gone` guards everything.
 * - Its objects live as long as somebody here refers to them; what is not kept would be collected while in use. It lets go of
 *   channels and tracks when it has called their `onClosed`: without one they would stay, and the process with them.
 * - Time is counted in ticks, so that a process that was stopped does not take its own absence for that of all its peers.
 * - Signs of life are what the peer sends: RTP, RTCP, events. One without audio has to send `ping` at least every 5 s, for the
 *   library does not show its consent checks, and notices a dead peer only after 28 s.
 */
import { randomInt } from 'node:crypto'
import { errorBody, ServiceError, type SessionServerEvent, sessionChannelLabel } from '@parlance/contracts'
import { type DataChannel, PeerConnection } from 'node-datachannel'
import type { FrameClock } from '../../playout/frame-clock.js'
import { createClientEventReader } from '../client-event-reader.js'
import { frameMs, type LossReason, type Transport, type TransportListener } from '../transport.js'
import { announceAddress } from './announced-address.js'
import { openAudioTrack } from './audio-track.js'
import { parseOffer, usableCandidate, writeOffer } from './session-description.js'

export interface WebRtcTransport extends Transport {
  readonly kind: 'webrtc'
  /** Whether the peer may be heard, or hear: it offered an audio line. */
  readonly hasAudio: boolean
  /** One that was gathered late. Those that cannot be used here, TCP and names, change nothing. Throws `ServiceError('invalid_sdp')`. */
  addRemoteCandidate(candidate: string): void
  /**
   * An offer that restarts ICE: always throws `ServiceError('invalid_sdp')`, since the library cannot, once it has checked that
   * the offer would have been valid.
   */
  restart(offer: string): string
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

export const acceptPeer = (options: PeerOptions): { transport: WebRtcTransport; answer: string } => {
  const { needsAudio, requestId, bindAddress, port } = options
  const offer = parseOffer(options.offer, { needsAudio })
  const connection = new PeerConnection(requestId, {
    iceServers: [],
    bindAddress,
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    disableAutoNegotiation: true,
    // More than what is allowed, so that it is refused with an error and not by hanging up.
    maxMessageSize: 256 * 1024,
  })

  let listener: TransportListener | undefined
  let channel: DataChannel | undefined
  let open = false
  let gone = false
  /** Since the peer was told that this is the end; undefined before. */
  let lingeringTicks: number | undefined
  let ticksWithoutSign = 0
  let ticksToOpen = 0
  let tellFreed = () => {}
  const freed = new Promise<void>((resolve) => {
    tellFreed = resolve
  })

  const sign = (): void => {
    ticksWithoutSign = 0
  }

  const track =
    offer.audio &&
    openAudioTrack({
      connection,
      line: offer.audio,
      ssrc: randomInt(1, 2 ** 32),
      complexity: options.opusComplexity,
      bitRate: options.opusBitRate,
      onPacket: sign,
    })

  const free = (): void => {
    if (gone) return
    gone = true
    stopTicks()
    track?.close()
    channel?.close()
    channel = undefined
    connection.close()
    options.onGone()
    tellFreed()
  }

  const lost = (reason: LossReason): void => {
    if (gone) return
    free()
    listener?.onLost(reason)
  }

  const send = (event: SessionServerEvent): void => {
    if (channel === undefined || lingeringTicks !== undefined) return
    try {
      channel.sendMessage(JSON.stringify(event))
      if (channel.bufferedAmount() <= mostBufferedBytes) return
    } catch {
      // It closed in this very moment, which is told below.
    }
    // Not from within the caller's own call.
    queueMicrotask(() => lost('connection_lost'))
  }

  const reader = createClientEventReader({
    onEvent: (event) => listener?.onEvent(event),
    onError: (error) => send(errorBody(error, requestId)),
  })

  const takeChannel = (offered: DataChannel): void => {
    if (gone || channel !== undefined || offered.getLabel() !== sessionChannelLabel) {
      offered.onClosed(() => {})
      offered.close()
      return
    }
    channel = offered
    channel.onClosed(() => {
      if (lingeringTicks === undefined) lost('user_disconnected')
    })
    channel.onMessage((message) => {
      if (gone) return
      sign()
      if (typeof message === 'string') reader.read(message)
      else reader.refuseBinary()
    })
    open = true
    sign()
    listener?.onOpen()
  }

  const tick = (): void => {
    if (lingeringTicks !== undefined) {
      lingeringTicks++
      if (lingeringTicks * frameMs >= lingerMs) free()
      // A stream is closed once all that went over it has come through; some peers forget what they have not read by then.
      else if (lingeringTicks * frameMs === readMs) channel?.close()
      return
    }
    if (!open) {
      if (++ticksToOpen * frameMs >= options.connectTimeoutMs) lost('ice_failed')
      return
    }
    if (++ticksWithoutSign * frameMs >= options.livenessTimeoutMs) {
      lost('connection_lost')
      return
    }
    if (track !== undefined) listener?.onAudio(track.heardFrame())
  }
  const stopTicks = options.frameClock.onTick(tick)

  connection.onDataChannel(takeChannel)
  connection.onStateChange((state) => {
    if (state === 'failed') lost(open ? 'connection_lost' : 'ice_failed')
    if (state === 'closed') lost('user_disconnected')
  })

  let answer: string
  try {
    connection.setRemoteDescription(writeOffer(offer), 'offer')
    connection.setLocalDescription('answer')
    // Its own addresses are all that there is to gather, which takes no time.
    const description = connection.localDescription()
    if (description === null || !description.sdp.includes('a=candidate:')) throw new Error('There is no candidate')
    answer = description.sdp
  } catch (error) {
    free()
    throw new ServiceError('invalid_sdp', 'The offer cannot be answered.', { cause: error })
  }
  if (options.announcedAddress !== undefined) answer = announceAddress(answer, options.announcedAddress)

  const transport: WebRtcTransport = {
    kind: 'webrtc',
    hasAudio: track !== undefined,
    listen(given) {
      listener = given
    },
    send,
    playFrame(frame) {
      if (open && !gone && lingeringTicks === undefined) track?.playFrame(frame)
    },
    addRemoteCandidate(candidate) {
      // The empty one says that there are no more.
      if (gone || candidate === '') return
      if (!/^(a=)?candidate:/.test(candidate)) throw new ServiceError('invalid_sdp', 'This is not a candidate.')
      const usable = usableCandidate(candidate)
      if (usable === undefined) return
      try {
        connection.addRemoteCandidate(usable, offer.audioFirst && offer.audio ? offer.audio.mid : offer.data.mid)
      } catch (error) {
        throw new ServiceError('invalid_sdp', 'This candidate cannot be used.', { cause: error })
      }
    },
    restart(sdp) {
      parseOffer(sdp, { needsAudio })
      throw new ServiceError('invalid_sdp', 'ICE cannot be restarted here: hang up, and start another conversation.')
    },
    close() {
      listener = undefined
      if (channel === undefined || gone) free()
      else lingeringTicks ??= 0
      return freed
    },
  }
  return { transport, answer }
}
