import { spawnSync } from 'node:child_process'
import { pcmFromBytes } from '@parlance/audio'

const rateHz = 48_000
const windowMs = 20

/** One channel of a recording. */
export interface RecordedChannel {
  /** Of the samples between two times: from 0 to 1. */
  loudness(fromMs: number, toMs: number): number
  /** Where the first sound begins, in steps of 20 ms. */
  onsetMs(): number
}

const channelOf = (samples: Int16Array): RecordedChannel => {
  const loudness = (fromMs: number, toMs: number): number => {
    const part = samples.subarray((fromMs * rateHz) / 1000, (toMs * rateHz) / 1000)
    return Math.sqrt(part.reduce((energy, sample) => energy + (sample / 32_768) ** 2, 0) / Math.max(1, part.length))
  }
  return {
    loudness,
    onsetMs() {
      let atMs = 0
      while (loudness(atMs, atMs + windowMs) < 0.01 && (atMs * rateHz) / 1000 < samples.length) atMs += windowMs
      return atMs
    },
  }
}

/** Decodes a recording by ffmpeg, which shares no code with the encoder. */
export const decodeRecording = (
  file: Uint8Array,
): { readonly user: RecordedChannel; readonly agent: RecordedChannel; readonly durationMs: number } => {
  const target = ['-f', 's16le', '-ar', `${rateHz}`, '-ac', '2', 'pipe:1']
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', ...target], {
    input: file,
    maxBuffer: 64 << 20,
  })
  if (status !== 0) throw new Error(`ffmpeg could not decode a recording: ${stderr}`)
  const samples = pcmFromBytes(stdout)
  const [left, right] = [0, 1].map((index) => channelOf(samples.filter((_, at) => at % 2 === index)))
  return { user: left!, agent: right!, durationMs: samples.length / 2 / (rateHz / 1000) }
}
