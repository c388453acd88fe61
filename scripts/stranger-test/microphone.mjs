// The audio of the microphone: speech from the installation itself, between pauses.
import { writeFile } from 'node:fs/promises'
import { wavHeader } from '@parlance/audio'

const sampleRateHz = 16_000
const bytesPerMs = (sampleRateHz * 2) / 1_000

/** Of the English voices the recorded one, which a recognizer understands best. */
const clearVoice = ({ voices }) => voices.find(({ variants }) => variants[0].id === 'flite') ?? voices[0]

/** Writes a file that a browser plays as its microphone: texts are spoken, numbers are pauses in ms. */
export const writeMicrophone = async (file, { url, key }, parts) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const voice = clearVoice(await (await fetch(`${url}/v1/voices?language=en`, { headers })).json())
  const speak = async (text) => {
    const output = { format: 'pcm_s16le', sample_rate: sampleRateHz }
    const body = JSON.stringify({ text, voice_id: voice.id, tts_variant: voice.variants[0].id, output })
    const response = await fetch(`${url}/v1/tts`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`no speech for the microphone: ${await response.text()}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const pieces = await Promise.all(
    parts.map((part) => (typeof part === 'number' ? Buffer.alloc(part * bytesPerMs) : speak(part))),
  )
  const data = Buffer.concat(pieces)
  await writeFile(file, Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data]))
}
