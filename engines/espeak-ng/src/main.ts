import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { runEngineHost } from '@parlance/engine/host'
import type { SynthesizerChoice } from './open-synthesizer.js'
import { openSpeaker } from './speaker.js'
import { voiceGainsDb } from './voice-gains.js'
import { voices } from './voices.js'
import { warmUpCommands } from './warm-up.js'

/** `--implementation auto|native|wasm` and `--library <path>`: the fields of `SynthesizerChoice`. */
const { values } = parseArgs({ options: { implementation: { type: 'string' }, library: { type: 'string' } } })

// The library looks for a sound server, whose client prints a warning when it cannot create a folder in the home directory.
process.env.XDG_CONFIG_HOME ??= tmpdir()

await runEngineHost(async () => {
  const speaker = await openSpeaker(values as SynthesizerChoice)
  const [first, ...others] = warmUpCommands()
  speaker.speak(first!, () => true)

  return {
    hello: {
      engine: 'espeak-ng',
      version: speaker.version,
      info: speaker.info,
      sampleRateHz: speaker.sampleRateHz,
      voices: voices.map(({ espeakLanguages, timbre, pitch, range, wordsPerMinute, loudness, ...voice }) => voice),
    },
    gainsDb: voiceGainsDb,
    speak: (command, output) => speaker.speak(command, output.audio),
    warmUp: others.map((command) => (mayGoOn) => {
      speaker.speak(command, mayGoOn)
    }),
  }
})
