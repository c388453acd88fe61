import { parseArgs } from 'node:util'
import { runEngineHost } from '@parlance/engine/host'
import { openSpeaker, type SpeakerOutput } from './speaker.js'
import { voiceGainsDb } from './voice-gains.js'

/** `--folder <path>`: the folder of flite's libraries; by default the system finds them. */
const { values } = parseArgs({ options: { folder: { type: 'string' } } })

const noMarks = () => {}

await runEngineHost(async () => {
  const speaker = await openSpeaker(values.folder)
  const warmUp = speaker.voices.map(({ id }) => (audio: SpeakerOutput['audio']) => {
    const text = 'Hello, this is the voice you asked for: it has 24 words.'
    const command = { text, voiceId: id, variant: 'flite', language: null, speed: 1, volume: 1 }
    speaker.speak(command, { audio, marks: noMarks })
  })
  warmUp.shift()?.(() => true)

  return {
    hello: {
      engine: 'flite',
      version: speaker.version,
      info: { implementation: 'native' },
      ...(speaker.missing === undefined ? {} : { warning: speaker.missing }),
      sampleRateHz: speaker.sampleRateHz,
      voices: speaker.voices.map(({ fliteName, ...voice }) => voice),
    },
    gainsDb: voiceGainsDb,
    speak: speaker.speak,
    warmUp: warmUp.map((speak) => (mayGoOn) => speak(mayGoOn)),
  }
})
