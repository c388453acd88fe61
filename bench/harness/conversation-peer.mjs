/**
 * One peer of a conversation over WebRTC, as a browser would be: it sends its sentence as audio, waits for the reply to
 * end, and repeats. With push-to-talk it interrupts every other reply. It does not decode the audio that it receives, but
 * compares the arrival of each packet with the clock of the first packet of the talk spurt.
 */
import { Audio, PeerConnection } from 'node-datachannel'
import { isRtcp, parseRtpPacket, writeRtpPacket } from '../../services/sessions/dist/media/webrtc/rtp-packet.js'

const payloadType = 111
const ssrc = 4242
const samplesAMs = 48
const frameSamples = 20 * samplesAMs
const lateMs = 40
/** Between the end of a reply and the next sentence. */
const pauseTicks = 50
/** How long a reply plays before the peer interrupts it. */
const interruptAfterMs = 1_000

const call = async (url, bearer, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: bearer, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${answer.code}: ${answer.detail}`)
  return answer
}

const offerOf = (connection) =>
  // Without candidates: the server waits for our first check, and no two handshakes meet.
  connection
    .localDescription()
    .sdp.split('\r\n')
    .filter((line) => !/^a=(candidate|end-of)/.test(line))
    .join('\r\n')

/** `speech` is what `spokenPackets` made. Call `tick` every 20 ms. */
export const connectPeer = async ({
  url,
  authorization,
  agentId,
  speech,
  inputMode = 'automatic',
  firstPauseTicks = pauseTicks,
}) => {
  const connection = new PeerConnection('peer', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  })
  const audio = new Audio('0', 'SendRecv')
  audio.addOpusCodec(payloadType, 'minptime=10;useinbandfec=1')
  audio.addSSRC(ssrc, 'peer', 'peer', 'peer')
  const track = connection.addTrack(audio)
  const channel = connection.createDataChannel('awp-events')
  const figures = { turns: [], silentAfterMs: [], frames: 0, lateFrames: 0, latestMs: 0, errors: [] }

  let ready = false
  let sequence = 0
  let timestamp = 0
  /** The next packet of the sentence. After its end there is silence. */
  let next = Number.POSITIVE_INFINITY
  let pause = firstPauseTicks
  let lastVoiceMs
  let firstVoiceMs
  let metrics
  let spurt
  let ended = false
  let turn = 0
  let interruptedMs
  let lastPacketMs = 0
  const holds = inputMode === 'push-to-talk'

  const send = (event) => channel.sendMessage(JSON.stringify(event))
  const take = (event) => {
    if (event.event === 'session.ready') {
      ready = true
      send({ event: 'client.ready' })
    } else if (event.event === 'metrics') {
      metrics = event
    } else if (event.event === 'agent.state' && event.state === 'listening' && firstVoiceMs !== undefined) {
      // The Agent's turn is over; the peer's begins after a pause.
      if (metrics !== undefined && interruptedMs === undefined)
        figures.turns.push({ ...metrics, peerMs: firstVoiceMs - lastVoiceMs })
      metrics = undefined
      firstVoiceMs = undefined
      lastVoiceMs = undefined
      pause = pauseTicks
    } else if (event.event === 'error') {
      figures.errors.push(event.code)
    } else if (event.event === 'session.ended') {
      ended = true
    }
  }
  channel.onMessage((message) => take(JSON.parse(message)))
  channel.onClosed(() => {
    ended = true
  })
  track.onClosed(() => {})
  track.onMessage((bytes) => {
    if (isRtcp(bytes)) return
    const nowMs = performance.now()
    lastPacketMs = nowMs
    const packet = parseRtpPacket(bytes)
    if (packet.marker || spurt === undefined) spurt = { atMs: nowMs, timestamp: packet.timestamp }
    if (lastVoiceMs !== undefined) firstVoiceMs ??= nowMs
    const dueMs = spurt.atMs + ((packet.timestamp - spurt.timestamp) >>> 0) / samplesAMs
    figures.frames += 1
    figures.latestMs = Math.max(figures.latestMs, nowMs - dueMs)
    if (nowMs - dueMs > lateMs) figures.lateFrames += 1
  })

  const begin = () => {
    // All packets sent before the interruption took effect have arrived by now.
    if (interruptedMs !== undefined) figures.silentAfterMs.push(Math.max(0, lastPacketMs - interruptedMs))
    interruptedMs = undefined
    turn += 1
    next = 0
    if (holds) send({ event: 'ptt.start' })
  }

  const { token } = await call(url, authorization, `/v1/agents/${agentId}/session-tokens`, {})
  connection.setLocalDescription('offer')
  const started = await call(url, `Bearer ${token}`, `/v1/agents/${agentId}/sessions`, {
    sdp: { type: 'offer', sdp: offerOf(connection) },
    input_mode: inputMode,
  })
  connection.setRemoteDescription(started.sdp.sdp, 'answer')

  return {
    figures,
    hasEnded: () => ended,
    tick() {
      if (!ready || ended) return
      if (lastVoiceMs === undefined && next >= speech.packets.length && --pause <= 0) begin()
      if (
        holds &&
        turn % 2 === 0 &&
        interruptedMs === undefined &&
        performance.now() > firstVoiceMs + interruptAfterMs
      ) {
        interruptedMs = performance.now()
        send({ event: 'interrupt' })
      }
      const payload = speech.packets[next] ?? speech.silence
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + frameSamples) >>> 0
      track.sendMessageBinary(writeRtpPacket({ payloadType, marker: next === 0, sequence, timestamp, ssrc, payload }))
      if (next === speech.packets.length - 1) {
        lastVoiceMs = performance.now()
        if (holds) send({ event: 'ptt.commit' })
      }
      next += 1
    },
    close() {
      track.close()
      channel.close()
      connection.close()
    },
  }
}
