import { spawnSync } from 'node:child_process'
import { pcmFromBytes } from '@parlance/audio'
import type { AudioOutput } from '@parlance/contracts'

/** The names of formats without a header in ffmpeg. */
const rawFormats: Partial<Record<AudioOutput['format'], string>> = { pcm_s16le: 's16le', ulaw: 'mulaw', alaw: 'alaw' }

/** Decodes a file by ffmpeg, which shares no code with the encoders, to mono PCM at the file's own rate. */
export const decode = (file: Uint8Array, output: Pick<AudioOutput, 'format' | 'sample_rate'>): Int16Array => {
  const raw = rawFormats[output.format]
  const input = raw === undefined ? [] : ['-f', raw, '-ar', `${output.sample_rate}`, '-ac', '1']
  const target = ['-f', 's16le', '-acodec', 'pcm_s16le', '-ar', `${output.sample_rate}`, '-ac', '1', 'pipe:1']
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...input, '-i', 'pipe:0', ...target], {
    input: file,
    maxBuffer: 64 << 20,
  })
  if (status !== 0) throw new Error(`ffmpeg could not decode ${output.format}: ${stderr}`)
  return pcmFromBytes(stdout)
}
