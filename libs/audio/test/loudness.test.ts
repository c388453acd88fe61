import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithPrograms } from '@parlance/testing'
import { integratedLoudness, pcmToBytes } from '../src/index.js'

const toneOf = (hz: number, db: number, seconds: number, sampleRateHz: number) =>
  Int16Array.from({ length: seconds * sampleRateHz }, (_, at) =>
    Math.round(32_767 * 10 ** (db / 20) * Math.sin((2 * Math.PI * hz * at) / sampleRateHz)),
  )
const joined = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap((part) => [...part]))

describe('the integrated loudness', () => {
  // EBU Tech 3341, tests 1 to 4, which are stereo: one channel is 3.01 LU softer.
  const rate = 48_000
  const tone = (db: number, seconds: number) => toneOf(1000, db, seconds, rate)
  test.each([
    ['a tone of -23 dBFS', tone(-23, 20), -26],
    ['a tone of -33 dBFS', tone(-33, 20), -36],
    ['soft parts that the relative gate leaves out', joined(tone(-36, 10), tone(-23, 60), tone(-36, 10)), -26],
    ['parts that the absolute gate leaves out', joined(tone(-72, 10), tone(-23, 30), tone(-72, 10)), -26],
  ])('of %s is that of the recommendation, within 0.1 LU', (_what, pcm, lufs) => {
    expect(Math.abs(integratedLoudness(pcm, rate) - lufs)).toBeLessThan(0.1)
  })

  test('of silence, and of less than 400 ms, is -Infinity', () => {
    expect(integratedLoudness(new Int16Array(rate), rate)).toBe(Number.NEGATIVE_INFINITY)
    expect(integratedLoudness(tone(-20, 0.3), rate)).toBe(Number.NEGATIVE_INFINITY)
  })
})

describeWithPrograms(['ffmpeg'], 'the integrated loudness, beside the meter of ffmpeg,', () => {
  /** Syllables of a changing tone with noise, between pauses. */
  const speechLike = (sampleRateHz: number) => {
    let seed = 1
    const noise = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647 - 0.5
    }
    return Int16Array.from({ length: 8 * sampleRateHz }, (_, at) => {
      const seconds = at / sampleRateHz
      const level = seconds % 2 > 1.6 ? 0.001 : 0.4 * Math.abs(Math.sin(2 * Math.PI * 2 * seconds))
      const tone = Math.sin(2 * Math.PI * (150 + 40 * Math.sin(seconds)) * seconds)
      return Math.round(32_767 * level * (0.7 * tone + 0.6 * noise()))
    })
  }
  test.each([8000, 16_000, 22_050, 24_000, 44_100, 48_000])('is the same within 0.2 LU at %i Hz', (sampleRateHz) => {
    const folder = mkdtempSync(join(tmpdir(), 'parlance-loudness-'))
    try {
      const pcm = speechLike(sampleRateHz)
      const file = join(folder, 'speech.pcm')
      writeFileSync(file, pcmToBytes(pcm))
      const input = ['-f', 's16le', '-ar', String(sampleRateHz), '-ac', '1', '-i', file]
      const filter = [
        '-filter_complex',
        'ebur128=metadata=1,ametadata=print:key=lavfi.r128.I:file=-',
        '-f',
        'null',
        '-',
      ]
      const printed = execFileSync('ffmpeg', ['-v', 'error', ...input, ...filter], { encoding: 'utf8' })
      const judged = Number(/r128\.I=(-?[\d.]+)\s*$/.exec(printed)![1])
      expect(Math.abs(integratedLoudness(pcm, sampleRateHz) - judged)).toBeLessThan(0.2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
