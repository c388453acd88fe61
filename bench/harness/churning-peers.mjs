/** Whole conversations: each begins, sends a text, receives the first audio of the reply, and ends in one of several ways. */
import { sessionProtocol } from '@parlance/contracts'
import { WebSocket } from 'ws'
import { createWebRtcPeer } from './webrtc-peer.mjs'

const endEvent = 'session.ended'

const ask = async ({ url }, authorization, method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Starts a conversation: `{ bearer, path, answer }`, where `answer` is that of the API. */
const begin = async (target, body) => {
  const { token } = await ask(target, target.authorization, 'POST', `/v1/agents/${target.agentId}/session-tokens`)
  const bearer = `Bearer ${token}`
  const answer = await ask(target, bearer, 'POST', `/v1/agents/${target.agentId}/sessions`, body)
  return { token, bearer, answer, path: `/v1/agents/${target.agentId}/sessions/${answer.session_id}` }
}

const firstAudioWithinMs = 30_000

/** Sends a text and resolves when the first audio of the reply arrives. Rejects after `firstAudioWithinMs`. */
const converse = ({ send, onEvent, onAudio }) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no audio of a reply arrived')), firstAudioWithinMs)
    onEvent((event) => {
      if (event.event === 'session.ready') {
        send({ event: 'client.ready' })
        send({ event: 'text.send', id: crypto.randomUUID(), text: 'What is your name?' })
      } else if (event.event === 'error') reject(new Error(`${event.code}: ${event.detail}`))
      else if (event.event === endEvent) reject(new Error(`ended with ${event.reason}`))
    })
    onAudio(() => {
      clearTimeout(timer)
      resolve()
    })
  })

const overWebSocket = async (target, hangUp) => {
  const begun = await begin(target, { transport: 'websocket', input_mode: 'push-to-talk' })
  const socket = new WebSocket(begun.answer.websocket_url, [sessionProtocol, `awp.token.${begun.token}`])
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const listeners = { event() {}, audio() {} }
  socket.on('error', () => {})
  socket.on('message', (data, isBinary) => {
    if (isBinary) listeners.audio()
    else listeners.event(JSON.parse(String(data)))
  })
  const firstAudio = converse({
    send: (event) => socket.send(JSON.stringify(event)),
    onEvent: (listener) => {
      listeners.event = listener
    },
    onAudio: (listener) => {
      listeners.audio = listener
    },
  })
  const refused = closed.then(() => Promise.reject(new Error('the WebSocket was closed')))
  // After the first audio the WebSocket may close, and nothing awaits this promise then.
  refused.catch(() => {})
  try {
    await Promise.race([firstAudio, refused])
    listeners.event = () => {}
    await hangUp({ socket, remove: () => ask(target, begun.bearer, 'DELETE', begun.path) })
    await closed
  } finally {
    socket.terminate()
  }
}

const overWebRtc = async (target, hangUp) => {
  const peer = createWebRtcPeer()
  try {
    const sdp = { type: 'offer', sdp: peer.offer }
    const begun = await begin(target, { sdp, input_mode: 'push-to-talk' })
    peer.answer(begun.answer.sdp.sdp)
    await converse({ send: peer.send, onEvent: peer.onEvent, onAudio: peer.onAudio })
    peer.onEvent(() => {})
    await hangUp({ peer, remove: () => ask(target, begun.bearer, 'DELETE', begun.path) })
  } finally {
    peer.close()
  }
}

/** Every way for a conversation to end, by its name: each is called with `{ url, authorization, agentId }`. */
export const waysToEnd = {
  'WebSocket, deleted': (target) => overWebSocket(target, ({ remove }) => remove()),
  'WebSocket, closed by the peer': (target) => overWebSocket(target, ({ socket }) => socket.close()),
  'WebSocket, cut off': (target) => overWebSocket(target, ({ socket }) => socket.terminate()),
  'WebSocket, never opened': (target) => begin(target, { transport: 'websocket' }),
  'WebRTC, deleted': (target) => overWebRtc(target, ({ peer, remove }) => Promise.all([peer.channelClosed, remove()])),
  'WebRTC, closed by the peer': (target) => overWebRtc(target, () => {}),
  'WebRTC, never connected': async (target) => {
    const peer = createWebRtcPeer()
    await begin(target, { sdp: { type: 'offer', sdp: peer.offer } })
    peer.close()
  },
}
