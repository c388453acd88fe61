import { parseArgs } from 'node:util'
import { runEngineHost } from '@parlance/engine/host'
import { openSynthesizer, type SynthesizerOutput } from './synthesizer.js'
import { voiceGainsDb } from './voice-gains.js'

/** `--folder <path>`: the folder of flite's libraries; by default the system finds them. */
const { values } = parseArgs({ options: { folder: { type: 'string' } } })

const noMarks = () => {}

await runEngineHost(async () => {
  const synthesizer = await openSynthesizer(values.folder)
  const warmUp = synthesizer.voices.map(({ id }) => (audio: SynthesizerOutput['audio']) => {
    const text = 'Hello, this is the voice you asked for: it has 24 words.'
    const command = { text, voiceId: id, variant: 'flite', language: null, speed: 1, volume: 1 }
    synthesizer.speak(command, { audio, marks: noMarks })
  })
  warmUp.shift()?.(() => true)

  return {
    hello: {
      engine: 'flite',
      version: synthesizer.version,
      info: { implementation: 'native' },
      ...(synthesizer.missing === undefined ? {} : { warning: synthesizer.missing }),
      sampleRateHz: synthesizer.sampleRateHz,
      voices: synthesizer.voices.map(({ fliteName, ...voice }) => voice),
    },
    gainsDb: voiceGainsDb,
    speak: synthesizer.speak,
    warmUp: warmUp.map((speak) => (mayGoOn) => speak(mayGoOn)),
  }
})
