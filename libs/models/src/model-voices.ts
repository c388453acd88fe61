import { createHash } from 'node:crypto'
import type { EngineVoice } from '@parlance/engine/protocol'
import { variantId } from './model-name.js'
import type { ModelSpeaker, SpeechModel } from './speech-model.js'

/** Models have no date, so all voices have the date of the first version that supports them. */
const knownSince = '2026-11-21T00:00:00.000Z'

/** The same on every installation that gives the engine this name. */
const voiceId = (engine: string, speaker: ModelSpeaker): string =>
  createHash('sha256').update(`${engine}\n${speaker.id}`).digest('hex').slice(0, 32)

/** A speaker of a model and its voice. */
interface ModelVoice {
  readonly speaker: ModelSpeaker
  readonly voice: EngineVoice
}

/** Returns a voice for each speaker of a model. `engine` is the name of the model's engine. */
export const modelVoices = (engine: string, model: SpeechModel, creditPer1kCharacters: string): ModelVoice[] =>
  model.speakers.map((speaker) => ({
    speaker,
    voice: {
      id: voiceId(engine, speaker),
      displayName: speaker.displayName,
      description: speaker.description,
      languages: speaker.languages,
      gender: speaker.gender,
      tags: speaker.tags,
      license: model.license,
      createdAt: knownSince,
      updatedAt: knownSince,
      variants: [
        {
          id: variantId(model.name),
          displayName: model.displayName,
          creditPer1kCharacters: model.creditPer1kCharacters ?? creditPer1kCharacters,
        },
      ],
    },
  }))
