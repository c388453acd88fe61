import type { AudioMoment, OpenConnection } from './connection.js'
import { ParlanceError } from './parlance-error.js'

const channelLabel = 'awp-events'
/** Candidates that are gathered later are left out: the answer has all candidates of the service, which is enough for ICE. */
const candidatesLimitMs = 1_000
const rtpTicksPerMs = 48

export const openWebRtcConnection: OpenConnection = async ({ microphone, iceServers, start, listener }) => {
  if (typeof RTCPeerConnection === 'undefined') throw new ParlanceError('unsupported', 'This browser has no WebRTC.')
  const peer = new RTCPeerConnection({ iceServers: await iceServers() })
  const channel = peer.createDataChannel(channelLabel)
  const transceiver = peer.addTransceiver(microphone ?? 'audio', {
    direction: microphone === undefined ? 'recvonly' : 'sendrecv',
  })
  const streamTime = createStreamTime(transceiver.receiver)
  let closed = false

  const close = (): void => {
    closed = true
    channel.close()
    peer.close()
  }
  const onLost = (): void => {
    if (closed) return
    close()
    listener.onClosed()
  }

  channel.addEventListener('message', ({ data }) => closed || listener.onMessage(data))
  channel.addEventListener('close', onLost)
  peer.addEventListener('track', ({ track }) => closed || listener.onTrack(track))
  peer.addEventListener('connectionstatechange', () => peer.connectionState === 'failed' && onLost())
  peer.addEventListener('iceconnectionstatechange', () => {
    if (closed) return
    if (peer.iceConnectionState === 'failed') onLost()
    else if (peer.iceConnectionState === 'disconnected') listener.onConnectivity(false)
    else if (/^(connected|completed)$/.test(peer.iceConnectionState)) listener.onConnectivity(true)
  })

  try {
    await peer.setLocalDescription()
    await candidatesOf(peer)
    const sdp = peer.localDescription?.sdp ?? ''
    const started = await start({ transport: 'webrtc', sdp: { type: 'offer', sdp } })
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
  }
}

const candidatesOf = (peer: RTCPeerConnection): Promise<void> =>
  new Promise((resolve) => {
    if (peer.iceGatheringState === 'complete') return resolve()
    const timer = setTimeout(resolve, candidatesLimitMs)
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * The RTP time of the packet that was played last; the clock of the service continues through silence. The browser reports
 * it behind its jitter buffer, so it is the position of playback, however late packets arrive.
 */
const createStreamTime = (receiver: RTCRtpReceiver): (() => AudioMoment | undefined) => {
  let last: (AudioMoment & { readonly rtp: number }) | undefined

  return () => {
    const [source] = receiver.getSynchronizationSources()
    if (source?.rtpTimestamp === undefined) return last
    const { rtpTimestamp: rtp } = source
    if (rtp === last?.rtp) return last
    // RTP timestamps have 32 bits, a random start, and wrap.
    const streamMs = last === undefined ? 0 : last.streamMs + ((rtp - last.rtp) | 0) / rtpTicksPerMs
    last = { rtp, streamMs, atMs: performance.now() }
    return last
  }
}
