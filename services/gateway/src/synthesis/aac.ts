import { registerAacEncoder } from '@mediabunny/aac-encoder'
import { pcmFromBytes } from '@parlance/audio'
import { AdtsOutputFormat, AppendOnlyStreamTarget, AudioSample, AudioSampleSource, Output } from 'mediabunny'
import type { Speech, SpeechResponder } from './speech.js'

const bitRate = 64_000

registerAacEncoder()

/**
 * AAC-LC in ADTS frames. The encoder works in a thread of its own and is asynchronous, which those of the workers are not: so a
 * speech is requested as PCM and encoded here.
 */
const openAacEncoder = async (sampleRateHz: number) => {
  let ready: Uint8Array[] = []
  let sampleCount = 0
  const target = new WritableStream<Uint8Array>({ write: (bytes) => void ready.push(bytes.slice()) })
  const output = new Output({ format: new AdtsOutputFormat(), target: new AppendOnlyStreamTarget(target) })
  const source = new AudioSampleSource({ codec: 'aac', bitrate: bitRate })
  output.addAudioTrack(source)
  await output.start()

  const take = (): Uint8Array => {
    const bytes = Buffer.concat(ready)
    ready = []
    return bytes
  }

  return {
    /** Resolves to the bytes that are ready, often none. */
    async encode(pcm: Int16Array): Promise<Uint8Array> {
      const sample = new AudioSample({
        data: pcm.slice(),
        format: 's16',
        numberOfChannels: 1,
        sampleRate: sampleRateHz,
        timestamp: sampleCount / sampleRateHz,
      })
      sampleCount += pcm.length
      await source.add(sample)
      sample.close()
      return take()
    },
    /** Resolves to the last bytes. */
    async finish(): Promise<Uint8Array> {
      await output.finalize()
      return take()
    },
    /** Frees the thread of a speech that does not come to its end. */
    async close(): Promise<void> {
      if (output.state === 'started') await output.cancel()
    },
  }
}

/** A speech of PCM whose audio is delivered as AAC. */
const asAac = (speech: Speech): Speech => ({
  ...speech,
  type: 'audio/aac',
  async speak(sink) {
    const encoder = await openAacEncoder(speech.request.output.sample_rate)
    try {
      await speech.speak(async (chunk) => {
        if (chunk.event === 'audio') {
          const data = await encoder.encode(pcmFromBytes(chunk.data))
          if (data.length > 0) await sink({ ...chunk, data })
        } else {
          // The last frames belong to the last segment.
          if (chunk.event === 'done') {
            const { audio_duration_ms: endMs } = chunk
            const data = await encoder.finish()
            await sink({ event: 'audio', seq: 0, segment: 0, start_ms: endMs, duration_ms: 0, data })
          }
          await sink(chunk)
        }
      })
    } finally {
      await encoder.close()
    }
  },
})

/** Responds with AAC to a request for PCM. */
export const inAac =
  (respond: SpeechResponder): SpeechResponder =>
  (req, res, speech) =>
    respond(req, res, asAac(speech))
