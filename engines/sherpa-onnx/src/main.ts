import { EngineUnavailableError, runEngineHost, SpeechRefusedError } from '@parlance/engine/host'
import { modelVoices, readLexicon, readModelFolder } from '@parlance/models'
import { parseEngineArguments } from './engine-arguments.js'
import { silenceErrorOutput } from './error-output.js'
import { NativeWorkError } from './native-work.js'
import { joined, pcmOf } from './pcm.js'
import { sherpaVersion } from './sherpa-library.js'
import { openSpeaker, type Speaker } from './speaker.js'
import { speechPieces } from './speech-piece.js'
import { trialText } from './trial-text.js'
import { wordMarks } from './word-marks.js'

/** The first words take longest, and show whether the model speaks at all: better now than when somebody waits for them. */
const speakForTheFirstTime = async (speaker: Speaker, text: string, speakerId: number): Promise<void> => {
  await speaker
    .speak({ text, speakerId, speed: 1 }, () => true)
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
  const voicesById = new Map(voices.map((voice) => [voice.voice.id, voice]))
  await speakForTheFirstTime(speaker, trialText(model, lexicon), model.speakers[0]!.id)
  silenceErrorOutput()

  return {
    hello: {
      engine,
      version: sherpaVersion(),
      info: { implementation: 'sherpa-onnx', model: model.name, kind: model.kind },
      sampleRateHz,
      voices: voices.map(({ voice }) => voice),
    },

    speak: async ({ text, voiceId, variant, language, speed, volume }, output) => {
      const found = voicesById.get(voiceId)
      if (found === undefined) throw new SpeechRefusedError('there is no such voice')
      const { voice, speaker: speakerOfModel } = found
      if (!voice.variants.some(({ id }) => id === variant))
        throw new SpeechRefusedError('the voice has no such variant')
      const wanted = language?.toLowerCase()
      if (wanted !== undefined && !voice.languages.some((tag) => tag.toLowerCase() === wanted)) {
        throw new SpeechRefusedError('the voice does not speak this language')
      }

      let samplesBefore = 0
      for (const piece of speechPieces(text)) {
        const made: Int16Array[] = []
        const onSamples = (samples: Float32Array) => {
          // Times are reckoned from what the voice says, not from how softly.
          made.push(pcmOf(samples, 1))
          return output.audio(pcmOf(samples, volume))
        }
        const said = { text: piece.text, speakerId: speakerOfModel.id, speed }
        await speaker.speak(said, onSamples).catch((error: unknown) => {
          // The model is as it was: the runtime checks what it is given before it computes.
          throw error instanceof NativeWorkError ? new SpeechRefusedError(error.message) : error
        })
        if (!output.isWanted()) return
        const pcm = joined(made)
        if (pcm.length > 0) output.marks(wordMarks(piece, { pcm, sampleRateHz, samplesBefore }, words))
        samplesBefore += pcm.length
      }
    },
  }
})
