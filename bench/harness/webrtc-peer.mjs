/** Acts like a browser: offers audio and the data channel, and sends prepared packets of Opus. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './installed.mjs'

// They are dependencies of the service and not of the benchmarks.
const require = createRequire(join(root, 'services/sessions/package.json'))
const { Audio, PeerConnection } = require('node-datachannel')
const { Encoder } = require('@evan/opus')

const payloadType = 111
const rateHz = 48_000
const frameSamples = 960

/** A second of a tone, as packets of 20 ms. */
const spokenPackets = () => {
  const encoder = new Encoder({ channels: 1, sample_rate: rateHz, application: 'voip' })
  return Array.from({ length: 50 }, (_, packet) => {
    const frame = Int16Array.from({ length: frameSamples }, (_, at) =>
      Math.round(8000 * Math.sin((2 * Math.PI * 440 * (packet * frameSamples + at)) / rateHz)),
    )
    return Buffer.from(encoder.encode(frame))
  })
}
const packets = spokenPackets()

/**
 * `{ offer, answer(sdp), open, channelClosed, speak(), send(event), ping(), onEvent(listener), onAudio(listener), close() }`.
 */
export const createWebRtcPeer = () => {
  const connection = new PeerConnection('peer', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  })
  const audio = new Audio('0', 'SendRecv')
  audio.addOpusCodec(payloadType, 'minptime=10;useinbandfec=1')
  const ssrc = Math.floor(1 + Math.random() * 0xfffffffe)
  audio.addSSRC(ssrc, 'peer', 'peer', 'peer')
  const track = connection.addTrack(audio)
  const channel = connection.createDataChannel('awp-events')
  let sent = 0
  const listeners = { event() {}, audio() {} }

  // The library releases a connection after it has reported its end.
  connection.onStateChange(() => {})
  track.onClosed(() => {})
  track.onMessage((bytes) => {
    if (bytes[1] >= 192 && bytes[1] <= 223) return
    listeners.audio()
  })
  channel.onMessage((message) => listeners.event(JSON.parse(message)))
  const send = (event) => {
    if (channel.isOpen()) channel.sendMessage(JSON.stringify(event))
  }
  const open = new Promise((resolve) => channel.onOpen(resolve))
  const channelClosed = new Promise((resolve) => channel.onClosed(resolve))
  connection.setLocalDescription('offer')
  const { sdp } = connection.localDescription()

  return {
    // Without candidates: the server waits for this side's first check, and no two handshakes meet.
    offer: sdp
      .split('\r\n')
      .filter((line) => !line.startsWith('a=candidate'))
      .join('\r\n'),
    answer: (answer) => connection.setRemoteDescription(answer, 'answer'),
    open,
    channelClosed,
    speak() {
      const payload = packets[sent % packets.length]
      const header = Buffer.from([0x80, payloadType, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
      header.writeUInt16BE(sent % 2 ** 16, 2)
      header.writeUInt32BE((sent * frameSamples) % 2 ** 32, 4)
      header.writeUInt32BE(ssrc, 8)
      sent++
      if (track.isOpen()) track.sendMessageBinary(Buffer.concat([header, payload]))
    },
    send,
    ping: () => send({ event: 'ping' }),
    onEvent(listener) {
      listeners.event = listener
    },
    onAudio(listener) {
      listeners.audio = listener
    },
    close() {
      track.close()
      channel.close()
      connection.close()
    },
  }
}
