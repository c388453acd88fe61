import type { AudioMoment, OpenConnection } from './connection.js'
import { ParlanceError } from './parlance-error.js'
import { createReconnection } from './reconnection.js'

const channelLabel = 'awp-events'
/** Candidates that are gathered later are left out: the answer has all candidates of the service, which is enough for ICE. */
const candidatesLimitMs = 1_000
const rtpTicksPerMs = 48

/** A shorter loss of packets heals by itself. */
const disconnectedMs = 1_500

export const openWebRtcConnection: OpenConnection = async ({ microphone, iceServers, start, restart, listener }) => {
  if (typeof RTCPeerConnection === 'undefined') throw new ParlanceError('unsupported', 'This browser has no WebRTC.')
  const peer = new RTCPeerConnection({ iceServers: await iceServers() })
  let channel: RTCDataChannel
  let hasOpened = false
  let closed = false
  let disconnected: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    closed = true
    clearTimeout(disconnected)
    reconnection.close()
    channel.close()
    peer.close()
  }
  const onLost = (): void => {
    if (closed) return
    close()
    listener.onClosed()
  }
  const reconnect = (): void => {
    clearTimeout(disconnected)
    if (hasOpened) reconnection.begin()
    else onLost()
  }

  const openChannel = (): void => {
    const opened = peer.createDataChannel(channelLabel)
    opened.addEventListener('open', () => {
      hasOpened = true
    })
    opened.addEventListener('message', ({ data }) => closed || listener.onMessage(data))
    opened.addEventListener('close', () => opened === channel && !closed && reconnect())
    channel = opened
  }

  /** Resolves to an SDP offer with its candidates. */
  const makeOffer = async (options?: RTCOfferOptions): Promise<string> => {
    const gathered = candidatesOf(peer)
    await peer.setLocalDescription(await peer.createOffer(options))
    await gathered
    return peer.localDescription?.sdp ?? ''
  }

  const reconnection = createReconnection({
    hasOpened: () => hasOpened,
    // The service answers with another connection, for which the events need another channel.
    async attempt(signal) {
      const offer = await makeOffer({ iceRestart: true })
      await peer.setRemoteDescription(await restart(offer, signal))
      openChannel()
      await untilOpen(channel, signal)
      listener.onConnectivity(true)
    },
    onAway: () => listener.onConnectivity(false),
    onLost,
  })

  openChannel()
  const transceiver = peer.addTransceiver(microphone ?? 'audio', {
    direction: microphone === undefined ? 'recvonly' : 'sendrecv',
  })
  const streamTime = createStreamTime(transceiver.receiver)
  peer.addEventListener('track', ({ track }) => closed || listener.onTrack(track))
  peer.addEventListener('connectionstatechange', () => peer.connectionState === 'failed' && reconnect())
  peer.addEventListener('iceconnectionstatechange', () => {
    clearTimeout(disconnected)
    if (closed) return
    if (peer.iceConnectionState === 'failed') reconnect()
    else if (peer.iceConnectionState === 'disconnected') {
      listener.onConnectivity(false)
      disconnected = setTimeout(reconnect, disconnectedMs)
    } else if (/^(connected|completed)$/.test(peer.iceConnectionState)) listener.onConnectivity(true)
  })

  try {
    const started = await start({ transport: 'webrtc', sdp: { type: 'offer', sdp: await makeOffer() } })
    if (started.sdp === undefined) throw new Error('The response has no SDP')
    await peer.setRemoteDescription(started.sdp)
  } catch (cause) {
    close()
    if (cause instanceof ParlanceError) throw cause
    throw new ParlanceError('connection_failed', 'The browser and the service do not agree on media.', { cause })
  }

  return {
    send(message) {
      if (channel.readyState === 'open') channel.send(message)
    },
    setMicrophone: (track) => transceiver.sender.replaceTrack(track),
    audioMoment: streamTime,
    sentSilenceMs: 100,
    close,
    reconnect,
  }
}

/** To be called before they are gathered. */
const candidatesOf = (peer: RTCPeerConnection): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      peer.removeEventListener('icecandidate', onCandidate)
      resolve()
    }
    const onCandidate = ({ candidate }: RTCPeerConnectionIceEvent) => candidate ?? done()
    const timer = setTimeout(done, candidatesLimitMs)
    peer.addEventListener('icecandidate', onCandidate)
  })

const untilOpen = (channel: RTCDataChannel, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    channel.addEventListener('open', () => resolve(), { once: true })
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/**
 * The RTP time of the packet that was played last; the clock of the service continues through silence. The browser reports
 * it behind its jitter buffer, so it is the position of playback, however late packets arrive.
 */
const createStreamTime = (receiver: RTCRtpReceiver): (() => AudioMoment | undefined) => {
  let last: (AudioMoment & { readonly source: number; readonly rtp: number }) | undefined

  return () => {
    const [source] = receiver.getSynchronizationSources()
    if (source?.rtpTimestamp === undefined) return last
    const { rtpTimestamp: rtp, source: id } = source
    if (rtp === last?.rtp) return last
    const atMs = performance.now()
    // RTP timestamps have 32 bits, a random start, and wrap. A connection after a restart has a source of its own.
    const passedMs = last && (id === last.source ? ((rtp - last.rtp) | 0) / rtpTicksPerMs : atMs - last.atMs)
    last = { source: id, rtp, streamMs: (last?.streamMs ?? 0) + (passedMs ?? 0), atMs }
    return last
  }
}
