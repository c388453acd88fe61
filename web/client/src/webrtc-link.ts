import type { AudioMoment, OpenLink } from './link.js'
import { ParlanceError } from './parlance-error.js'

const channelLabel = 'awp-events'
/** What is gathered later is left out: the answer has all candidates of the service, and ICE needs no more. */
const gatherWithinMs = 1_000
const rtpClocksAMs = 48

export const openWebRtcLink: OpenLink = async ({ microphone, iceServers, start, listener }) => {
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
  const gone = (): void => {
    if (closed) return
    close()
    listener.onGone()
  }

  channel.addEventListener('message', ({ data }) => closed || listener.onMessage(data))
  channel.addEventListener('close', gone)
  peer.addEventListener('track', ({ track }) => closed || listener.onTrack(track))
  peer.addEventListener('connectionstatechange', () => peer.connectionState === 'failed' && gone())
  peer.addEventListener('iceconnectionstatechange', () => {
    if (closed) return
    if (peer.iceConnectionState === 'failed') gone()
    else if (peer.iceConnectionState === 'disconnected') listener.onCarried(false)
    else if (/^(connected|completed)$/.test(peer.iceConnectionState)) listener.onCarried(true)
  })

  try {
    await peer.setLocalDescription()
    await gathered(peer)
    const sdp = peer.localDescription?.sdp ?? ''
    const started = await start({ transport: 'webrtc', sdp: { type: 'offer', sdp } })
    if (started.sdp === undefined) throw new Error('The answer has no SDP')
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

const gathered = (peer: RTCPeerConnection): Promise<void> =>
  new Promise((resolve) => {
    if (peer.iceGatheringState === 'complete') return resolve()
    const timer = setTimeout(resolve, gatherWithinMs)
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * The time of the packet that was played last, which the service counts on through silence. It comes from behind the browser's
 * jitter buffer, so it is true to what is heard however late packets come.
 */
const createStreamTime = (receiver: RTCRtpReceiver): (() => AudioMoment | undefined) => {
  let last: (AudioMoment & { readonly rtp: number }) | undefined

  return () => {
    const [source] = receiver.getSynchronizationSources()
    if (source?.rtpTimestamp === undefined) return last
    const { rtpTimestamp: rtp } = source
    if (rtp === last?.rtp) return last
    // 32 bits that begin anywhere, and wrap.
    const streamMs = last === undefined ? 0 : last.streamMs + ((rtp - last.rtp) | 0) / rtpClocksAMs
    last = { rtp, streamMs, atMs: performance.now() }
    return last
  }
}
