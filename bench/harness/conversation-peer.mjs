/**
 * One peer of a conversation over WebRTC, as a browser would be: it speaks its sentence, waits for the reply to end, and repeats.
 * It interrupts every other reply by its next sentence. It decodes what it receives only while it waits for a reply or for the
 * silence after an interruption, and compares the arrival of each packet with the clock of the first packet of the talk spurt.
 *
 * A sound that it sends is made when its frame begins, 20 ms before the packet is sent; one that it receives is played when its
 * packet arrives.
 */
import { Decoder } from '@evan/opus'
import { firstLoudSample, lastLoudSample } from '@parlance/audio'
import { Audio, PeerConnection } from 'node-datachannel'
import { isRtcp, parseRtpPacket, writeRtpPacket } from '../../services/sessions/dist/media/webrtc/rtp-packet.js'

const payloadType = 111
const ssrc = 4242
const samplesAMs = 48
const frameMs = 20
const frameSamples = frameMs * samplesAMs
const lateMs = 40
/** Between the end of a reply and the next sentence. */
const pauseTicks = 50
/** How long a reply plays before the peer interrupts it. */
const interruptAfterMs = 1_000
const noReplyMs = 10_000
/** Of real models on a busy machine. */
const longestReplyMs = 50_000

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

/** Empty, as `figures` of a peer. */
export const noFigures = () => ({ turns: [], metrics: [], silentAfterMs: [], frames: 0, lateFrames: 0, latestMs: 0 })

/**
 * `speech` is what `spokenPackets` made. Call `tick` every 20 ms. A peer that `isLed` speaks only when `say` is called, and interrupts
 * no reply.
 */
export const connectPeer = async ({
  url,
  authorization,
  agentId,
  speech,
  isLed = false,
  firstPauseTicks = isLed ? Number.POSITIVE_INFINITY : pauseTicks,
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
  const decoder = new Decoder({ channels: 1, sample_rate: samplesAMs * 1000 })
  const figures = { ...noFigures(), errors: [] }

  let ready = false
  let ended = false
  let sequence = 0
  let timestamp = 0
  let spurt
  /** `pausing`, `speaking`, `waiting` for the reply, `listening` to it. */
  let state = 'pausing'
  let pause = firstPauseTicks
  let turn = 0
  /** The next packet of the sentence. After its end there is silence. */
  let next = Number.POSITIVE_INFINITY
  let lastSoundMs
  let replyMs
  /** When the peer began to interrupt the reply, and when the last sound of that came. */
  let interruption

  const rest = () => {
    state = 'pausing'
    pause = isLed ? Number.POSITIVE_INFINITY : pauseTicks
  }
  const send = (event) => channel.sendMessage(JSON.stringify(event))
  const take = (event) => {
    if (event.event === 'session.ready') {
      ready = true
      send({ event: 'client.ready' })
    } else if (event.event === 'metrics') {
      figures.metrics.push(event)
    } else if (event.event === 'agent.state' && event.state === 'listening' && state === 'listening') {
      rest()
    } else if (event.event === 'error') {
      figures.errors.push(event.code)
    } else if (event.event === 'session.ended') {
      figures.errors.push(event.reason)
      ended = true
    }
  }
  channel.onMessage((message) => take(JSON.parse(message)))
  channel.onClosed(() => {
    ended = true
  })
  track.onClosed(() => {})

  const listen = (payload, nowMs) => {
    const samples = new Int16Array(decoder.decode(payload).slice().buffer)
    const first = firstLoudSample(samples)
    if (first === -1) return
    if (state === 'waiting') {
      replyMs = nowMs + first / samplesAMs
      figures.turns.push({ turnMs: replyMs - lastSoundMs, interrupts: interruption !== undefined })
      state = 'listening'
    } else interruption.lastMs = nowMs + lastLoudSample(samples) / samplesAMs
  }
  track.onMessage((bytes) => {
    if (isRtcp(bytes)) return
    const nowMs = performance.now()
    const packet = parseRtpPacket(bytes)
    if (packet.marker || spurt === undefined) spurt = { atMs: nowMs, timestamp: packet.timestamp }
    const dueMs = spurt.atMs + ((packet.timestamp - spurt.timestamp) >>> 0) / samplesAMs
    figures.frames += 1
    figures.latestMs = Math.max(figures.latestMs, nowMs - dueMs)
    if (nowMs - dueMs > lateMs) figures.lateFrames += 1
    if (state === 'waiting' || (state === 'speaking' && interruption !== undefined)) listen(packet.payload, nowMs)
  })

  const speak = (nowMs) => {
    interruption = state === 'listening' ? { atMs: nowMs - frameMs, lastMs: nowMs - frameMs } : undefined
    state = 'speaking'
    turn += 1
    next = 0
  }
  const endSpeaking = (nowMs) => {
    if (interruption !== undefined) figures.silentAfterMs.push(interruption.lastMs - interruption.atMs)
    lastSoundMs = nowMs - frameMs + speech.lastSoundMs
    state = 'waiting'
  }

  const { token } = await call(url, authorization, `/v1/agents/${agentId}/session-tokens`, {})
  connection.setLocalDescription('offer')
  const started = await call(url, `Bearer ${token}`, `/v1/agents/${agentId}/sessions`, {
    sdp: { type: 'offer', sdp: offerOf(connection) },
    input_mode: 'automatic',
  })
  connection.setRemoteDescription(started.sdp.sdp, 'answer')

  return {
    figures,
    hasEnded: () => ended,
    isResting: () => ready && state === 'pausing',
    /** The peer rests. */
    say(packets) {
      speech = packets
      pause = 0
    },
    tick() {
      if (!ready || ended) return
      const nowMs = performance.now()
      if (state === 'pausing' && --pause <= 0) speak(nowMs)
      if (!isLed && state === 'listening' && turn % 2 === 0 && nowMs > replyMs + interruptAfterMs) speak(nowMs)
      if (state === 'waiting' && nowMs > lastSoundMs + (isLed ? longestReplyMs : noReplyMs)) {
        figures.errors.push('no reply')
        rest()
      }
      const payload = speech.packets[next] ?? speech.silence
      sequence = (sequence + 1) & 0xffff
      timestamp = (timestamp + frameSamples) >>> 0
      track.sendMessageBinary(writeRtpPacket({ payloadType, marker: next === 0, sequence, timestamp, ssrc, payload }))
      if (next === speech.lastPacket) endSpeaking(nowMs)
      next += 1
    },
    close() {
      track.close()
      channel.close()
      connection.close()
    },
  }
}
