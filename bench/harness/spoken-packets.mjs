import { Encoder } from '@evan/opus'
import { concatPcm, firstLoudSample, lastLoudSample } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import { openSynthesizer } from '../../engines/flite/dist/synthesizer.js'

const opusRateHz = 48_000
const frameSamples = 960

/** A sentence at 48 kHz, by a voice of flite. */
export const spokenBy = async (text, voice = 0) => {
  const synthesizer = await openSynthesizer()
  const parts = []
  synthesizer.speak(
    { text, voiceId: synthesizer.voices[voice].id, variant: 'flite', language: null, speed: 1, volume: 1 },
    { audio: (samples) => parts.push(samples) > 0, marks() {} },
  )
  const resampler = createResampler({ fromHz: synthesizer.sampleRateHz, toHz: opusRateHz })
  return concatPcm([resampler.resample(concatPcm(parts)), resampler.finish()])
}

/**
 * Speech at 48 kHz as packets of Opus, 20 ms each, from its first sound to its last; and one of silence. `lastPacket` holds its last
 * sound, at `lastSoundMs`.
 */
export const packetsOf = (pcm) => {
  const audiblePcm = pcm.subarray(firstLoudSample(pcm), lastLoudSample(pcm) + 1)
  const encoder = new Encoder({ channels: 1, sample_rate: opusRateHz, application: 'voip' })
  const encode = (samples) => {
    const frame = new Int16Array(frameSamples)
    frame.set(samples)
    return Buffer.from(encoder.encode(frame))
  }
  const packets = []
  for (let at = 0; at < audiblePcm.length; at += frameSamples)
    packets.push(encode(audiblePcm.subarray(at, at + frameSamples)))
  const lastPacket = packets.length - 1
  // The encoder's state still contains some of the voice for a few frames, of which the first has the end of the last sound.
  packets.push(encode([]))
  for (let frame = 0; frame < 10; frame++) encode([])
  return {
    packets,
    silence: encode([]),
    lastPacket,
    lastSoundMs: (audiblePcm.length % frameSamples) / (opusRateHz / 1000),
  }
}

/** The same of a sentence that flite speaks. */
export const spokenPackets = async (text) => packetsOf(await spokenBy(text))
