/** Turns with a pause inside, spoken by the platform's own voices: mono s16 samples at 16 kHz. */
const sampleRateHz = 16_000
const samplesPerMs = sampleRateHz / 1000
const frameSamples = 20 * samplesPerMs
/** Audio that is quieter than this is a pause. */
const quietRms = 150
/** The noise of a microphone in a quiet room. */
const noise = 6
/** The silence after the turn. */
const silenceMs = 5000

const rmsOf = (frame) => Math.sqrt(frame.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, frame.length))

/** The samples from the first sound to the last, and the words with the times at which each has ended. */
const trimmed = (samples, words) => {
  const isQuiet = (at) => rmsOf(samples.subarray(at, at + frameSamples)) < quietRms
  let from = 0
  while (from < samples.length && isQuiet(from)) from += frameSamples
  let to = samples.length
  while (to > from && isQuiet(to - frameSamples)) to -= frameSamples
  return {
    samples: samples.subarray(from, to),
    words: words.map(({ text, end_ms: endMs }) => ({ text, endMs: endMs - from / samplesPerMs })),
  }
}

const speak = async ({ url, headers }, voice, language, text) => {
  const body = {
    text,
    language,
    voice_id: voice.id,
    output: { format: 'pcm_s16le', sample_rate: sampleRateHz },
    response_mode: 'json',
    alignment: ['word'],
  }
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`${voice.display_name} could not speak: ${response.status} ${await response.text()}`)
  const { audio_base64: audio, alignment } = await response.json()
  const bytes = Buffer.from(audio, 'base64')
  return trimmed(new Int16Array(new Uint8Array(bytes).buffer), alignment.words)
}

/**
 * Speaks both parts of a sentence as separate texts, with a pause of `pauseMs` at its bar. Returns the samples
 * with silence after them, when the speech continues after the pause and when it ends, and its words with the times at which
 * each has ended.
 */
export const speakTurn = async (installation, { voice, language, sentence, pauseMs, random }) => {
  const [first, second] = await Promise.all(
    sentence.split('|').map((part) => speak(installation, voice, language, part.trim())),
  )
  const resumesAt = first.samples.length + Math.round(pauseMs * samplesPerMs)
  const endsAt = resumesAt + second.samples.length
  const samples = new Int16Array(endsAt + silenceMs * samplesPerMs)
  samples.set(first.samples)
  samples.set(second.samples, resumesAt)
  for (let at = 0; at < samples.length; at++) samples[at] += Math.round((random() - 0.5) * 2 * noise)
  const resumesMs = resumesAt / samplesPerMs
  const later = second.words.map(({ text, endMs }) => ({ text, endMs: endMs + resumesMs }))
  return { samples, resumesMs, endMs: endsAt / samplesPerMs, words: [...first.words, ...later] }
}
