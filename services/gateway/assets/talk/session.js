import { ApiError, call } from './api.js'

const channelLabel = 'awp-events'
/** Candidates that are gathered later are left out. The answer has all candidates of the server. */
const gatherWithinMs = 1_000
/** The server ends the session of a client that sends nothing for long. */
const pingEveryMs = 5_000

const gatheringComplete = (peer) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, gatherWithinMs)
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    })
  })

/** By the name of the error that the browser rejects with. */
const microphoneErrors = {
  NotAllowedError: 'microphone_denied',
  SecurityError: 'microphone_denied',
  NotFoundError: 'microphone_not_found',
  OverconstrainedError: 'microphone_not_found',
}

const microphone = async () => {
  // Browsers hide it from pages that are neither on https nor on this machine.
  if (navigator.mediaDevices === undefined) throw new ApiError({ code: 'microphone_insecure' })
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    })
  } catch (error) {
    throw new ApiError({ code: microphoneErrors[error.name] ?? 'microphone_unavailable' })
  }
}

/**
 * Starts a conversation. Calls `on.event` with each event of the server, `on.voice` with the stream of the Agent's audio, and
 * `on.lost` when the connection breaks. Rejects with an `ApiError`; then the microphone is off again.
 */
export const startSession = async ({ agentId, token, mode, on }) => {
  const withMicrophone = mode !== 'text'
  const mine = withMicrophone ? await microphone() : undefined
  let peer
  let pinging
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    clearInterval(pinging)
    for (const track of mine?.getTracks() ?? []) track.stop()
    peer?.close()
  }

  try {
    const { ice_servers: iceServers } = await call(token, '/v1/ice-servers')
    peer = new RTCPeerConnection({ iceServers })
    const channel = peer.createDataChannel(channelLabel)
    if (mine === undefined) peer.addTransceiver('audio', { direction: 'recvonly' })
    else peer.addTrack(mine.getAudioTracks()[0], mine)

    peer.addEventListener('track', ({ track }) => on.voice(new MediaStream([track])))
    const send = (event) => channel.readyState === 'open' && channel.send(JSON.stringify(event))
    channel.addEventListener('open', () => {
      pinging = setInterval(() => send({ event: 'ping' }), pingEveryMs)
      send({ event: 'client.ready' })
    })
    channel.addEventListener('message', ({ data }) => on.event(JSON.parse(data)))
    const lost = () => {
      if (closed) return
      close()
      on.lost()
    }
    channel.addEventListener('close', lost)
    peer.addEventListener('connectionstatechange', () => peer.connectionState === 'failed' && lost())

    await peer.setLocalDescription()
    await gatheringComplete(peer)
    const started = await call(token, `/v1/agents/${agentId}/sessions`, {
      method: 'POST',
      body: {
        transport: 'webrtc',
        sdp: { type: 'offer', sdp: peer.localDescription.sdp },
        input_mode: mode === 'automatic' ? 'automatic' : 'push-to-talk',
        client: { name: 'talk-page', version: '1' },
      },
    })
    await peer.setRemoteDescription(started.sdp)
    return {
      id: started.session_id,
      microphone: mine,
      send,
      close,
      async hangUp() {
        await call(token, `/v1/agents/${agentId}/sessions/${started.session_id}`, { method: 'DELETE' }).catch(() => {})
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}
