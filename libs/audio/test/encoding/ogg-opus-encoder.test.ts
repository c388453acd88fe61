import { spawnSync } from 'node:child_process'
import { pcmFromBytes, resolveOutput } from '@parlance/audio'
import { describeWithPrograms } from '@parlance/testing'
import { createOggOpusEncoder } from '../../src/encoding/index.js'
import { decode } from './decode.js'
import { encode } from './encode.js'
import { tone, toneAndRest } from './signal.js'

interface Page {
  flags: number
  granulePosition: number
  serial: number
  sequence: number
  crc: number
  computedCrc: number
  packets: Uint8Array[]
}

/** A parser of RFC 3533 that shares no code with the writer. */
const parsePages = (file: Uint8Array): Page[] => {
  const pages: Page[] = []
  for (let at = 0; at < file.length; ) {
    const view = new DataView(file.buffer, file.byteOffset + at)
    expect(Buffer.from(file.subarray(at, at + 4)).toString()).toBe('OggS')
    const segments = [...file.subarray(at + 27, at + 27 + file[at + 26]!)]
    const bodyStart = at + 27 + segments.length
    const end = bodyStart + segments.reduce((sum, length) => sum + length, 0)

    const packets: Uint8Array[] = []
    let packetStart = bodyStart
    let packetEnd = bodyStart
    for (const length of segments) {
      packetEnd += length
      if (length === 255) continue
      packets.push(file.subarray(packetStart, packetEnd))
      packetStart = packetEnd
    }
    expect(packetStart).toBe(end) // no packet continues on the next page

    const withoutCrc = file.slice(at, end).fill(0, 22, 26)
    pages.push({
      flags: file[at + 5]!,
      granulePosition: Number(view.getBigInt64(6, true)),
      serial: view.getUint32(14, true),
      sequence: view.getUint32(18, true),
      crc: view.getUint32(22, true),
      computedCrc: bitwiseCrc(withoutCrc),
      packets,
    })
    at = end
  }
  return pages
}

const bitwiseCrc = (bytes: Uint8Array): number => {
  let register = 0n
  for (const byte of bytes) {
    register ^= BigInt(byte) << 24n
    for (let bit = 0; bit < 8; bit++) {
      register <<= 1n
      if (register & 0x100000000n) register ^= 0x104c11db7n
    }
  }
  return Number(register)
}

const encodePages = async (durationMs: number, inputSampleRateHz = 24000): Promise<Page[]> =>
  parsePages(
    await encode(
      resolveOutput({ format: 'opus' }),
      inputSampleRateHz,
      tone({ frequencyHz: 300, sampleRateHz: inputSampleRateHz, durationMs }),
    ),
  )

test.each([0, 1, 20, 39, 40, 41, 200, 1001])('%i ms make a well-formed stream of that length', async (durationMs) => {
  const pages = await encodePages(durationMs)
  expect(pages.map((page) => page.crc)).toEqual(pages.map((page) => page.computedCrc))
  expect(pages.map((page) => page.sequence)).toEqual(pages.map((_, i) => i))
  expect(new Set(pages.map((page) => page.serial)).size).toBe(1)
  expect(pages.map((page) => page.flags)).toEqual(pages.map((_, i) => (i === 0 ? 2 : i === pages.length - 1 ? 4 : 0)))

  const [head, tags] = pages
  const headPacket = head!.packets[0]!
  expect(Buffer.from(headPacket.subarray(0, 8)).toString()).toBe('OpusHead')
  expect(Buffer.from(tags!.packets[0]!.subarray(0, 8)).toString()).toBe('OpusTags')
  const preSkip = headPacket[10]! + headPacket[11]! * 256
  expect(preSkip).toBe(312) // 6.5 ms, the lookahead of an Opus encoder for audio
  expect(pages.at(-1)!.granulePosition).toBe(preSkip + durationMs * 48)
})

test('granule positions count 20 ms a packet, and the last one cuts off less than a packet', async () => {
  const audio = (await encodePages(1001)).slice(2)
  let packets = 0
  for (const page of audio.slice(0, -1)) {
    packets += page.packets.length
    expect(page.granulePosition).toBe(packets * 960)
  }
  const cut = (packets + audio.at(-1)!.packets.length) * 960 - audio.at(-1)!.granulePosition
  expect(cut).toBeGreaterThanOrEqual(0)
  expect(cut).toBeLessThan(960)
})

test('the first page contains 40 ms of audio, and no page contains more than 200 ms', async () => {
  const packets = (await encodePages(2000)).slice(2).map((page) => page.packets.length)
  expect(packets[0]).toBe(2)
  expect(Math.max(...packets)).toBe(10)
})

describeWithPrograms(['ffmpeg'], 'an independent reader', () => {
  test.each([0, 1, 333])('takes a file of %i ms and finds its length', async (durationMs) => {
    const output = resolveOutput({ format: 'opus' })
    const pcm = tone({ frequencyHz: 300, sampleRateHz: 24000, durationMs })
    expect(decode(await encode(output, 24000, pcm), output)).toHaveLength(durationMs * 48)
  })

  test('finds the signal of each channel at least 40 dB above that of the other', () => {
    const encoder = createOggOpusEncoder({ sampleRateHz: 24000, bitRate: 40_000, channels: 2 })
    const left = tone({ frequencyHz: 300, sampleRateHz: 24000, durationMs: 1000 })
    const right = tone({ frequencyHz: 440, sampleRateHz: 24000, durationMs: 1000, silenceMs: 1000 })
    const samples = Int16Array.from({ length: 2 * right.length }, (_, i) => (i % 2 ? right : left)[i >> 1] ?? 0)
    const file = Buffer.concat([encoder.encode(samples), encoder.finish()])
    const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 's16le', 'pipe:1'], { input: file })
    const decoded = pcmFromBytes(stdout)
    const channel = (index: number) => decoded.filter((_, i) => i % 2 === index)
    expect(channel(0)).toHaveLength(2 * 48_000)
    const energy = (index: number, from: number, to: number, frequencyHz: number) =>
      toneAndRest(channel(index).subarray(from, to), frequencyHz, 48_000).tone
    const [first, second] = [
      [9_600, 38_400],
      [57_600, 86_400],
    ] as const
    expect(energy(0, ...first, 300)).toBeGreaterThan(10_000 * (energy(1, ...first, 300) + 1))
    expect(energy(1, ...second, 440)).toBeGreaterThan(10_000 * (energy(0, ...second, 440) + 1))
  })
})
