import type { AudioMoment, OpenConnection } from './connection.js'
import { ParlanceError } from './parlance-error.js'
import { createReconnection } from './reconnection.js'

const channelLabel = 'awp-events'
/** Candidates that are gathered later are left out: the answer has all candidates of the service, which is enough for ICE. */
const candidatesLimitMs = 1_000
const rtpTicksPerMs = 48

/** A shorter loss of packets heals by itself. */
const disconnectedMs = 1_500

export const openWebRtcConnection: OpenConnection = async ({ iceServers, start, restart, listener, ...options }) => {
  if (typeof RTCPeerConnection === 'undefined') throw new ParlanceError('unsupported', 'This browser has no WebRTC.')
  const configuration = { iceServers: await iceServers() }
  let { microphone } = options
  let hasOpened = false
  let closed = false
  let disconnected: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    closed = true
    clearTimeout(disconnected)
    reconnection.close()
    closeExcept()
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

  const openPeer = () => {
    const connection = new RTCPeerConnection(configuration)
    const channel = connection.createDataChannel(channelLabel)
    const { sender, receiver } = connection.addTransceiver(microphone ?? 'audio', {
      direction: microphone === undefined ? 'recvonly' : 'sendrecv',
    })
    const peer = { connection, channel, sender, receiver }
    const isCurrent = (): boolean => !closed && peer === current

    channel.addEventListener('open', () => {
      if (closed) return
      hasOpened = true
      if (!isCurrent()) switchTo(peer)
      listener.onConnectivity(true)
    })
    channel.addEventListener('message', ({ data }) => closed || listener.onMessage(data))
    channel.addEventListener('close', () => isCurrent() && reconnect())
    connection.addEventListener('connectionstatechange', () => {
      if (isCurrent() && connection.connectionState === 'failed') reconnect()
    })
    connection.addEventListener('iceconnectionstatechange', () => {
      if (!isCurrent()) return
      clearTimeout(disconnected)
      if (connection.iceConnectionState === 'failed') reconnect()
      else if (connection.iceConnectionState === 'disconnected') {
        listener.onConnectivity(false)
        disconnected = setTimeout(reconnect, disconnectedMs)
      } else if (/^(connected|completed)$/.test(connection.iceConnectionState)) listener.onConnectivity(true)
    })
    peers.add(peer)
    return peer
  }
  type Peer = ReturnType<typeof openPeer>

  const closeExcept = (...kept: Peer[]): void => {
    for (const peer of peers) {
      if (kept.includes(peer)) continue
      peers.delete(peer)
      peer.channel.close()
      peer.connection.close()
    }
  }
  const switchTo = (peer: Peer): void => {
    clearTimeout(disconnected)
    current = peer
    closeExcept(peer)
    // The microphone may have been replaced since this connection was made.
    void peer.sender.replaceTrack(microphone ?? null)
    listener.onTrack(peer.receiver.track)
  }

  const peers = new Set<Peer>()
  let current = openPeer()
  const streamTime = createStreamTime(() => current.receiver)

  const reconnection = createReconnection({
    hasOpened: () => hasOpened,
    // The service answers with another connection, and Firefox does no second DTLS handshake at an ICE restart. The first one is
    // used until the other is open.
    async attempt(signal) {
      const peer = openPeer()
      const answer = await restart(await makeOffer(peer.connection), signal)
      // The service has closed those of earlier attempts, too.
      closeExcept(current, peer)
      await peer.connection.setRemoteDescription(answer)
      await untilOpen(peer.channel, signal)
    },
    onAway: () => listener.onConnectivity(false),
    onLost,
  })

  try {
    const started = await start({
      transport: 'webrtc',
      sdp: { type: 'offer', sdp: await makeOffer(current.connection) },
    })
    configuration.iceServers = started.ice_servers
    if (started.sdp === undefined) throw new Error('The response has no SDP')
    await current.connection.setRemoteDescription(started.sdp)
  } catch (cause) {
    close()
    if (cause instanceof ParlanceError) throw cause
    throw new ParlanceError('connection_failed', 'The browser and the service do not agree on media.', { cause })
  }
  listener.onTrack(current.receiver.track)

  return {
    send(message) {
      if (current.channel.readyState === 'open') current.channel.send(message)
    },
    setMicrophone(track) {
      microphone = track
      return current.sender.replaceTrack(track)
    },
    audioMoment: streamTime,
    sentSilenceMs: 100,
    close,
    reconnect,
  }
}

/** Resolves to an SDP offer with its candidates. */
const makeOffer = async (connection: RTCPeerConnection): Promise<string> => {
  const gathered = candidatesOf(connection)
  await connection.setLocalDescription()
  await gathered
  return connection.localDescription?.sdp ?? ''
}

/** To be called before they are gathered. */
const candidatesOf = (connection: RTCPeerConnection): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      connection.removeEventListener('icecandidate', onCandidate)
      resolve()
    }
    const onCandidate = ({ candidate }: RTCPeerConnectionIceEvent) => candidate ?? done()
    const timer = setTimeout(done, candidatesLimitMs)
    connection.addEventListener('icecandidate', onCandidate)
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
const createStreamTime = (receiver: () => RTCRtpReceiver): (() => AudioMoment | undefined) => {
  let last: (AudioMoment & { readonly source: number; readonly rtp: number }) | undefined

  return () => {
    const [source] = receiver().getSynchronizationSources()
    if (source?.rtpTimestamp === undefined) return last
    const { rtpTimestamp: rtp, source: id } = source
    if (rtp === last?.rtp) return last
    const atMs = performance.now()
    // RTP timestamps have 32 bits, a random start, and wrap. A connection that replaces another has a source of its own.
    const passedMs = last && (id === last.source ? ((rtp - last.rtp) | 0) / rtpTicksPerMs : atMs - last.atMs)
    last = { source: id, rtp, streamMs: (last?.streamMs ?? 0) + (passedMs ?? 0), atMs }
    return last
  }
}
