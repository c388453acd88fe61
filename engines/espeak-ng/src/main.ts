import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { runEngineHost } from '@parlance/engine/host'
import type { SpeakCommand } from '@parlance/engine/protocol'
import { openSynthesizer, type SynthesizerChoice } from './synthesizer.js'
import { voiceGainsDb } from './voice-gains.js'
import { voices } from './voices.js'

/** `--implementation auto|native|wasm` and `--library <path>`: the fields of `SynthesizerChoice`. */
const { values } = parseArgs({ options: { implementation: { type: 'string' }, library: { type: 'string' } } })

// The library looks for a sound server, whose client prints a warning when it cannot create a folder in the home directory.
process.env.XDG_CONFIG_HOME ??= tmpdir()

/** Has sounds of every kind, a number and more than one clause. */
const warmUpText =
  'Hello, this is the voice you asked for. It has 24 words to say, should you judge them; shall we go on?'

/**
 * Returns texts to speak before the first request: every voice in each of its languages, which loads the dictionaries and
 * compiles the code. The first is a single word, after which the process is ready; the others make it faster.
 */
const warmUpCommands = (): SpeakCommand[] => {
  const commands = voices.flatMap((voice) =>
    [...new Set(Object.values(voice.espeakLanguages))].map((espeakLanguage) => ({
      text: warmUpText,
      voiceId: voice.id,
      variant: 'standard',
      language: voice.languages.find((tag) => voice.espeakLanguages[tag] === espeakLanguage)!,
      speed: 1,
      volume: 1,
    })),
  )
  return [{ ...commands[0]!, text: 'Hello.' }, ...commands]
}

await runEngineHost(async () => {
  const synthesizer = await openSynthesizer(values as SynthesizerChoice)
  const [first, ...others] = warmUpCommands()
  synthesizer.speak(first!, () => true)

  return {
    hello: {
      engine: 'espeak-ng',
      version: synthesizer.version,
      info: synthesizer.info,
      sampleRateHz: synthesizer.sampleRateHz,
      voices: voices.map(({ espeakLanguages, timbre, pitch, range, wordsPerMinute, loudness, ...voice }) => voice),
    },
    gainsDb: voiceGainsDb,
    speak: (command, output) => synthesizer.speak(command, output.audio),
    warmUp: others.map((command) => (mayGoOn) => {
      synthesizer.speak(command, mayGoOn)
    }),
  }
})
