import { createReceptionReports, reportedLoss } from '../../src/media/webrtc/reception-report.js'
import { opusPacketSamples, parseRtpPacket, writeRtpPacket } from '../../src/media/webrtc/rtp-packet.js'
import { createSentAudio } from '../../src/media/webrtc/sent-audio.js'
import { tone } from './tone.js'

const packet = (sequence: number, ssrc = 7) =>
  writeRtpPacket({
    payloadType: 111,
    marker: false,
    sequence: sequence % 2 ** 16,
    timestamp: 0,
    ssrc,
    payload: Uint8Array.of(1),
  })

/** Receives these packets, and returns the share that is reported as lost. */
const lossOf = (reports: ReturnType<typeof createReceptionReports>, sequences: readonly number[], ssrc = 7) => {
  for (const sequence of sequences) reports.receive(packet(sequence, ssrc), 0)
  return reportedLoss(reports.report(0)!, ssrc)
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

test('a report has the share of packets that were lost since the one before', () => {
  const reports = createReceptionReports({ ssrc: 1, payloadType: 111 })
  expect(reports.report(0)).toBeUndefined()
  // The sequence numbers wrap around.
  const first = range(65_500, 100)
  expect(
    lossOf(
      reports,
      first.filter((sequence) => sequence % 4 !== 1),
    ),
  ).toBe(0.25)
  expect(lossOf(reports, range(65_600, 100))).toBe(0)
  expect(lossOf(reports, [...range(65_701, 50), 65_700, 65_700])).toBe(0)
})

test('another stream of the peer begins another count', () => {
  const reports = createReceptionReports({ ssrc: 1, payloadType: 111 })
  expect(lossOf(reports, range(0, 10))).toBe(0)
  expect(lossOf(reports, range(5_000, 10), 8)).toBe(0)
})

test('a report has the time of the last report of the sender', () => {
  const reports = createReceptionReports({ ssrc: 1, payloadType: 111 })
  const sent = Buffer.alloc(28)
  sent.writeUInt8(0x80, 0)
  sent.writeUInt8(200, 1)
  sent.writeUInt32BE(0xaabbccdd, 8)
  sent.writeUInt32BE(0x11223344, 12)
  reports.receive(sent, 1000)
  reports.receive(packet(1), 1000)
  const report = reports.report(1500)!
  expect(report.readUInt32BE(24)).toBe(0xccdd1122)
  expect(report.readUInt32BE(28)).toBe(65_536 / 2)
})

test('reports about other streams, and bytes that are no report, have no loss', () => {
  const reports = createReceptionReports({ ssrc: 1, payloadType: 111 })
  reports.receive(packet(1), 0)
  expect(reportedLoss(reports.report(0)!, 8)).toBeUndefined()
  expect(reportedLoss(Buffer.from([0x9f, 201, 0, 0, 1, 2, 3, 4]), 8)).toBeUndefined()
  expect(reportedLoss(Buffer.from([0x9f, 201]), 8)).toBeUndefined()
})

test('a peer that reports losses gets packets in a mode that has copies of the audio before, until it reports none', () => {
  const sent = createSentAudio({ payloadType: 111, ssrc: 1 })
  /** Below 16 are the modes with copies (RFC 6716, 3.1). */
  const modes = () =>
    range(0, 20).map((index) => {
      const { payload } = parseRtpPacket(
        sent.packet(tone({ hz: 400, rateHz: 24_000, samples: 480, from: index * 480 }))!,
      )!
      expect(opusPacketSamples(payload)).toBe(960)
      return payload[0]! >> 3
    })
  expect(modes().at(-1)).toBeGreaterThanOrEqual(16)
  sent.setLoss(0.1)
  expect(modes().at(-1)).toBeLessThan(16)
  sent.setLoss(0)
  expect(modes().at(-1)).toBeGreaterThanOrEqual(16)
})
