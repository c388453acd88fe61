import { readFileSync } from 'node:fs'
import { runEngineHost } from '@parlance/engine-host'
import { openSpeaker } from './speaker.js'
import { voices } from './voices.js'
import { warmUpCommands } from './warm-up.js'

const espeakVersion = (): string => {
  const manifest = new URL(import.meta.resolve('@echogarden/espeak-ng-emscripten/package.json'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

await runEngineHost(async () => {
  const speaker = await openSpeaker()
  const [first, ...others] = warmUpCommands()
  speaker.speak(first!, () => true)

  return {
    hello: {
      engine: 'espeak-ng',
      version: espeakVersion(),
      sampleRateHz: speaker.sampleRateHz,
      voices: voices.map(({ espeakLanguages, timbre, pitch, range, wordsPerMinute, loudness, ...voice }) => voice),
    },
    speak: (command, output) => {
      const marks = speaker.speak(command, output.audio)
      if (marks !== undefined) output.marks(marks)
    },
    warmUp: others.map((command) => (mayGoOn) => {
      speaker.speak(command, mayGoOn)
    }),
  }
})
