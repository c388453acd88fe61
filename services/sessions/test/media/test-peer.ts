import { Decoder, Encoder } from '@evan/opus'
import type { SessionServerEvent } from '@parlance/contracts'
import { Audio, type DataChannel, PeerConnection, type Track } from 'node-datachannel'
import { isRtcp, parseRtpPacket, writeRtpPacket } from '../../src/media/webrtc/rtp-packet.js'

/** A peer in the place of a browser: it offers audio and the data channel, sends Opus, and decodes received audio. */
export interface TestPeer {
  readonly offer: string
  answer(sdp: string): void
  /** Resolves when the data channel is open. */
  readonly open: Promise<void>
  /** Resolves when the connection has ended from its point of view. */
  readonly closed: Promise<void>
  /** Resolves when the data channel has closed. */
  readonly channelClosed: Promise<void>
  /** Resolves when so many RTP packets have come. */
  packets(count: number): Promise<void>
  send(message: string | Uint8Array): void
  /** The next event of that name, from those that came and no one asked for yet. */
  event(name: SessionServerEvent['event']): Promise<SessionServerEvent>
  /** Sends 20 ms of PCM at 48 kHz (960 samples). */
  speak(frame: Int16Array): void
  /** The received audio, mono PCM at 48 kHz, and the received packets. */
  received(): {
    readonly pcm: Int16Array[]
    readonly packets: readonly { marker: boolean; timestamp: number; sequence: number }[]
  }
  /** RTCP packets it has received. */
  reports(): readonly Buffer[]
  readonly connection: PeerConnection
  readonly channel: DataChannel
  close(): void
}

const settledSdp = (connection: PeerConnection): string => {
  const description = connection.localDescription()
  if (description === null) throw new Error('No offer')
  // Without candidates: the other side waits for the first check of this one, and no two handshakes meet.
  return description.sdp
    .split('\r\n')
    .filter((line) => !line.startsWith('a=candidate') && !line.startsWith('a=end-of'))
    .join('\r\n')
}

export const createTestPeer = (options: { audio?: boolean; label?: string } = {}): TestPeer => {
  const connection = new PeerConnection('peer', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  })
  let track: Track | undefined
  if (options.audio ?? true) {
    const audio = new Audio('0', 'SendRecv')
    audio.addOpusCodec(111, 'minptime=10;useinbandfec=1')
    audio.addSSRC(4242, 'peer', 'peer', 'peer')
    track = connection.addTrack(audio)
  }
  const channel = connection.createDataChannel(options.label ?? 'awp-events')
  const encoder = new Encoder({ channels: 1, sample_rate: 48000, application: 'voip' })
  const decoder = new Decoder({ channels: 1, sample_rate: 48000 })
  const pcm: Int16Array[] = []
  const packets: { marker: boolean; timestamp: number; sequence: number }[] = []
  const reports: Buffer[] = []
  const events: SessionServerEvent[] = []
  let wakeReader = () => {}
  let wakeListener = () => {}
  let sequence = 65_500
  let timestamp = 2 ** 32 - 9600

  // The library frees them after it has called these.
  const channelClosed = new Promise<void>((resolve) => channel.onClosed(resolve))
  track?.onClosed(() => {})
  channel.onMessage((message) => {
    events.push(JSON.parse(String(message)))
    wakeReader()
  })
  track?.onMessage((bytes) => {
    if (isRtcp(bytes)) {
      reports.push(Buffer.from(bytes))
      return
    }
    const packet = parseRtpPacket(bytes)
    if (packet === undefined) return
    packets.push({ marker: packet.marker, timestamp: packet.timestamp, sequence: packet.sequence })
    const decoded = decoder.decode(Buffer.from(packet.payload))
    pcm.push(new Int16Array(decoded.buffer, decoded.byteOffset, decoded.byteLength / 2).slice())
    wakeListener()
  })
  const open = new Promise<void>((resolve) => channel.onOpen(resolve))
  const closed = new Promise<void>((resolve) => {
    connection.onStateChange((state) => {
      if (state === 'closed' || state === 'failed') resolve()
    })
  })
  connection.setLocalDescription('offer')

  return {
    offer: settledSdp(connection),
    answer: (sdp) => connection.setRemoteDescription(sdp, 'answer'),
    open,
    closed,
    channelClosed,
    async packets(count) {
      while (packets.length < count) {
        await new Promise<void>((resolve) => {
          wakeListener = resolve
        })
      }
    },
    send: (message) => {
      if (typeof message === 'string') channel.sendMessage(message)
      else channel.sendMessageBinary(message)
    },
    async event(name) {
      for (;;) {
        const index = events.findIndex((each) => each.event === name)
        if (index >= 0) return events.splice(index, 1)[0] as SessionServerEvent
        await new Promise<void>((resolve) => {
          wakeReader = resolve
        })
      }
    },
    speak(frame) {
      sequence = (sequence + 1) % 2 ** 16
      timestamp = (timestamp + 960) % 2 ** 32
      const payload = encoder.encode(frame)
      track?.sendMessageBinary(
        writeRtpPacket({ payloadType: 111, marker: false, sequence, timestamp, ssrc: 4242, payload }),
      )
    },
    received: () => ({ pcm, packets }),
    reports: () => reports,
    connection,
    channel,
    close() {
      track?.close()
      channel.close()
      connection.close()
    },
  }
}
