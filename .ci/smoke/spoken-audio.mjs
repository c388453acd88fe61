import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Decodes the whole file and rejects one that is no audio, too short or long for a sentence, or silent. */
export const assertSpeech = async (file) => {
  const probe = await run('ffprobe', [...'-v error -show_streams -of json'.split(' '), file])
  const [stream] = JSON.parse(probe.stdout).streams
  assert.equal(stream?.codec_type, 'audio', `${file} is no audio`)

  const decoding = await run('ffmpeg', ['-nostdin', '-i', file, ...'-af volumedetect -f null -'.split(' ')])
  const clock = [...decoding.stderr.matchAll(/time=(\d+):(\d+):([\d.]+)/g)].at(-1)
  const [hours, minutes, seconds] = clock.slice(1).map(Number)
  const durationSeconds = hours * 3600 + minutes * 60 + seconds
  assert.ok(durationSeconds > 0.5 && durationSeconds < 60, `${durationSeconds} s is not a sentence`)

  const meanVolumeDb = Number(/mean_volume: (-?[\d.]+) dB/.exec(decoding.stderr)?.[1])
  assert.ok(meanVolumeDb > -50, `a mean volume of ${meanVolumeDb} dB is silence`)
  return `${stream.codec_name}, ${durationSeconds} s, ${meanVolumeDb} dB`
}
