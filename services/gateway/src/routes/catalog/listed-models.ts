import type { CallOptions, Client } from '@parlance/bus'
import {
  type catalogContract,
  type Model,
  ServiceError,
  type transcriptionContract,
  type Voice,
} from '@parlance/contracts'
import { openaiSpeechModels } from '../../synthesis/synthesis-request.js'
import { openaiTranscriptionModels } from '../../transcription/transcription.js'

interface ModelSources {
  readonly catalog: Pick<Client<typeof catalogContract>, 'listVoices'>
  readonly transcription: Pick<Client<typeof transcriptionContract>, 'listRecognizers'>
}

/** Every page of the catalog's voices. Rejects as calls do. */
export const allVoices = async (catalog: ModelSources['catalog'], options: CallOptions): Promise<Voice[]> => {
  const voices: Voice[] = []
  let cursor: string | undefined
  do {
    const page = await catalog.listVoices({ ...(cursor === undefined ? {} : { cursor }) }, options)
    voices.push(...page.voices)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return voices
}

/** The voice of this id. Rejects with `voice_not_found`, and as calls do. */
export const voiceById = async (catalog: ModelSources['catalog'], id: string, options: CallOptions): Promise<Voice> => {
  const voice = (await allVoices(catalog, options)).find((each) => each.id === id)
  if (voice === undefined) throw new ServiceError('voice_not_found', 'There is no such voice.')
  return voice
}

/** The creation time of a recognizer is not known. */
const unknownTime = 0

const modelOf = (id: string, created = unknownTime): Model => ({ id, object: 'model', created, owned_by: 'parlance' })

/**
 * The variants of voices and the recognizers, each of which the API takes as a `model`; before them OpenAI's own names,
 * where there is something for which they stand. Rejects as calls do.
 */
export const listModels = async ({ catalog, transcription }: ModelSources, options: CallOptions): Promise<Model[]> => {
  const [voices, { recognizers }] = await Promise.all([
    allVoices(catalog, options),
    transcription.listRecognizers({}, options),
  ])
  const variants = new Map<string, Model>()
  for (const { created_at, variants: ofVoice } of voices) {
    const created = Math.floor(Date.parse(created_at) / 1000)
    for (const { id } of ofVoice) if (!variants.has(id)) variants.set(id, modelOf(id, created))
  }
  return [
    ...(voices.length > 0 ? openaiSpeechModels.map((id) => modelOf(id)) : []),
    ...(recognizers.length > 0 ? openaiTranscriptionModels.map((id) => modelOf(id)) : []),
    ...variants.values(),
    ...recognizers.map(({ name }) => modelOf(name)),
  ]
}
