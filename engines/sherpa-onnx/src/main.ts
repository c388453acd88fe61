import { chosenVoice, EngineUnavailableError, runEngineHost, SpeechRefusedError } from '@parlance/engine/host'
import { modelVoices, readLexicon, readModelFolder } from '@parlance/models'
import { z } from 'zod'
import { findGains } from './model-gains.js'
import { NativeWorkError } from './native-work.js'
import { sherpaVersion, silenceErrorOutput } from './sherpa-library.js'
import { speakText } from './speak-text.js'
import { openSynthesizer, type Synthesizer } from './synthesizer.js'
import { trialText } from './trial-text.js'

/** The only argument of the process, as JSON. */
const engineArguments = z.strictObject({
  /** The engine's name, from which the ids of its voices are derived. */
  engine: z.string().min(1),
  /** The model's folder. */
  folder: z.string().min(1),
  threads: z.int().min(1).max(64),
  /** The price for folders without one; a decimal string. */
  creditPer1kCharacters: z.string(),
})
export type EngineArguments = z.input<typeof engineArguments>

/** The first words take longest, and show whether the model works, so they are spoken before the process is ready. */
const speakForTheFirstTime = async (synthesizer: Synthesizer, text: string, speakerId: number): Promise<void> => {
  await synthesizer
    .speak({ text, speakerId, speed: 1 }, { take: () => true, isWanted: () => true })
    .catch((error: unknown) => {
      throw error instanceof NativeWorkError ? new EngineUnavailableError(error.message) : error
    })
}

await runEngineHost(async () => {
  const { engine, folder, threads, creditPer1kCharacters } = engineArguments.parse(JSON.parse(process.argv[2] ?? '{}'))
  const reading = await readModelFolder(folder)
  if ('problems' in reading) throw new EngineUnavailableError(reading.problems.join('; '))
  const { model } = reading
  const [synthesizer, lexicon] = await Promise.all([openSynthesizer(model, threads), readLexicon(model.files.lexicons)])
  const { sampleRateHz } = synthesizer
  const words = { lexicon, speaksLexiconOnly: model.speaksLexiconOnly }
  const voices = modelVoices(engine, model, creditPer1kCharacters)
  const voicesById = new Map(voices.map(({ voice }) => [voice.id, voice]))
  const speakers = new Map(voices.map(({ voice, speaker }) => [voice.id, speaker]))
  await speakForTheFirstTime(synthesizer, trialText(model, lexicon), model.speakers[0]!.id)
  const gains = await findGains(folder, synthesizer, model, lexicon)
  silenceErrorOutput()

  return {
    hello: {
      engine,
      version: sherpaVersion(),
      info: { implementation: 'sherpa-onnx', model: model.name, kind: model.kind },
      sampleRateHz,
      voices: voices.map(({ voice }) => voice),
    },
    gainsDb: Object.fromEntries(voices.map(({ voice, speaker: { id } }) => [voice.id, gains[id]!])),

    speak: async (command, output) => {
      const { voice, language } = chosenVoice(voicesById, command)
      const { text, speed, ahead } = command
      const wantedText = {
        text,
        language,
        speakerId: speakers.get(voice.id)!.id,
        speed,
        isAwaited: ahead !== true,
      }
      await speakText(wantedText, output, { synthesizer, words }).catch((error: unknown) => {
        // The state of the model is unchanged, because the runtime checks its input before it computes.
        throw error instanceof NativeWorkError ? new SpeechRefusedError(error.message) : error
      })
    },
  }
})
