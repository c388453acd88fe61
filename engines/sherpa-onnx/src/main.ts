import { chosenVoice, EngineUnavailableError, runEngineHost, SpeechRefusedError } from '@parlance/engine/host'
import { modelVoices, readLexicon, readModelFolder } from '@parlance/models'
import { parseEngineArguments } from './engine-arguments.js'
import { silenceErrorOutput } from './error-output.js'
import { findGains } from './model-gains.js'
import { NativeWorkError } from './native-work.js'
import { sherpaVersion } from './sherpa-library.js'
import { speakText } from './speak-text.js'
import { openSpeaker, type Speaker } from './speaker.js'
import { trialText } from './trial-text.js'

/** The first words take longest, and show whether the model works, so they are spoken before the process is ready. */
const speakForTheFirstTime = async (speaker: Speaker, text: string, speakerId: number): Promise<void> => {
  await speaker
    .speak({ text, speakerId, speed: 1 }, { take: () => true, isWanted: () => true })
    .catch((error: unknown) => {
      throw error instanceof NativeWorkError ? new EngineUnavailableError(error.message) : error
    })
}

await runEngineHost(async () => {
  const { engine, folder, threads, creditPer1kCharacters } = parseEngineArguments(process.argv[2])
  const reading = await readModelFolder(folder)
  if ('problems' in reading) throw new EngineUnavailableError(reading.problems.join('; '))
  const { model } = reading
  const [speaker, lexicon] = await Promise.all([openSpeaker(model, threads), readLexicon(model.files.lexicons)])
  const { sampleRateHz } = speaker
  const words = { lexicon, speaksLexiconOnly: model.speaksLexiconOnly }
  const voices = modelVoices(engine, model, creditPer1kCharacters)
  const voicesById = new Map(voices.map(({ voice }) => [voice.id, voice]))
  const speakers = new Map(voices.map(({ voice, speaker }) => [voice.id, speaker]))
  await speakForTheFirstTime(speaker, trialText(model, lexicon), model.speakers[0]!.id)
  const gains = await findGains(folder, speaker, model, lexicon)
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
      await speakText(wantedText, output, { speaker, words }).catch((error: unknown) => {
        // The state of the model is unchanged, because the runtime checks its input before it computes.
        throw error instanceof NativeWorkError ? new SpeechRefusedError(error.message) : error
      })
    },
  }
})
