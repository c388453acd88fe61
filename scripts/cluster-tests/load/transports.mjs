// The two ways to a conversation. Each resolves to `{ send(event), close(), audio() }`, with the number of audio packets that came,
// and calls `onEvent` for each event and `onClosed` when the connection has ended.
import { callJson, packageOf, socketUrl, url } from './api.mjs'

const { WebSocket } = packageOf('gateway', 'ws')
const { Audio, PeerConnection } = packageOf('sessions', 'node-datachannel')

const start = (token, agentId, body) =>
  callJson(`Bearer ${token}`, 'POST', `/v1/agents/${agentId}/sessions`, { input_mode: 'push-to-talk', ...body })

export const overWebSocket = async ({ token, agentId, onEvent, onClosed }) => {
  const { websocket_url: address } = await start(token, agentId, { transport: 'websocket' })
  const { pathname, search } = new URL(address, url)
  const socket = new WebSocket(`${socketUrl}${pathname}${search}`, ['awp.session.v1', `awp.token.${token}`])
  let audio = 0
  socket.on('error', (error) => onClosed(error.message))
  socket.on('close', (code) => onClosed(String(code)))
  socket.on('message', (data, isBinary) => {
    if (isBinary) audio += 1
    else onEvent(JSON.parse(String(data)))
  })
  return { audio: () => audio, send: (event) => socket.send(JSON.stringify(event)), close: () => socket.close(1000) }
}

/** A peer without audio is lost after 12 s in which it has sent nothing. */
const pingEveryMs = 5_000

/** Without candidates: the server then waits for the first check of this side, and no two handshakes meet. */
const withoutCandidates = ({ sdp }) =>
  sdp
    .split('\r\n')
    .filter((line) => !/^a=(candidate|end-of)/.test(line))
    .join('\r\n')

export const overWebRtc = async ({ token, agentId, onEvent, onClosed }) => {
  const connection = new PeerConnection('peer', { iceServers: [], disableAutoNegotiation: true })
  const media = new Audio('0', 'SendRecv')
  media.addOpusCodec(111, 'minptime=10;useinbandfec=1')
  media.addSSRC(4242, 'peer', 'peer', 'peer')
  const track = connection.addTrack(media)
  const channel = connection.createDataChannel('awp-events')
  let audio = 0
  connection.onStateChange((state) => {
    if (['disconnected', 'failed', 'closed'].includes(state)) onClosed(state)
  })
  track.onClosed(() => {})
  track.onMessage(() => {
    audio += 1
  })
  channel.onMessage((message) => onEvent(JSON.parse(String(message))))
  channel.onClosed(() => onClosed('the data channel is closed'))
  connection.setLocalDescription('offer')
  const offer = { type: 'offer', sdp: withoutCandidates(connection.localDescription()) }
  const { sdp } = await start(token, agentId, { transport: 'webrtc', sdp: offer })
  connection.setRemoteDescription(sdp.sdp, 'answer')
  const send = (event) => channel.sendMessage(JSON.stringify(event))
  const pings = setInterval(() => {
    if (channel.isOpen()) send({ event: 'ping' })
  }, pingEveryMs)
  return {
    audio: () => audio,
    send,
    close() {
      clearInterval(pings)
      track.close()
      channel.close()
      connection.close()
    },
  }
}
