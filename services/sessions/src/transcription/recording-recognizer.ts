import { knowsLanguage, ServiceError, type TranscriptionRequest } from '@parlance/contracts'
import type { Recognizer } from '../stt/recognizer.js'

/** The recognizers that a transcription chooses from. */
export interface AvailableRecognizers {
  /** The best for a BCP 47 tag; undefined where none knows it. */
  findRecognizer(language: string): Recognizer | undefined
  /** All of them, the preferred first. */
  listRecognizers(): readonly Recognizer[]
}

export interface ChosenRecognizer {
  readonly recognizer: Recognizer
  /** A BCP 47 tag. */
  readonly language: string
}

const defaultLanguage = 'en'

const unknownLanguage = (language: string, candidates: readonly Recognizer[]) => {
  const known = [...new Set(candidates.flatMap(({ languages }) => languages ?? []))].sort().join(', ')
  return new ServiceError('invalid_request', `language: "${language}" is not recognized here; there are: ${known}`)
}

/**
 * The recognizer and the language for a request. Without a language it is English where that is known, else the main language of
 * the recognizer. Throws `not_found` where there is no such recognizer or none at all, and `invalid_request` for a language that is
 * not known.
 */
export const recognizerFor = (
  { recognizer: name, language }: Pick<TranscriptionRequest, 'recognizer' | 'language'>,
  { findRecognizer, listRecognizers }: AvailableRecognizers,
): ChosenRecognizer => {
  const all = listRecognizers()
  const candidates = name === null ? all : all.filter((recognizer) => recognizer.name === name)
  const [first] = candidates
  if (first === undefined) {
    throw new ServiceError(
      'not_found',
      all.length === 0
        ? 'No speech recognizer is installed here.'
        : `model: there is no model "${name}"; GET /v1/models lists the models.`,
    )
  }
  const find = (tag: string) =>
    name === null ? findRecognizer(tag) : candidates.find(({ languages }) => knowsLanguage(languages, tag))
  const preferred = find(defaultLanguage) === undefined ? first.languages?.[0] : undefined
  const wanted = language ?? preferred ?? defaultLanguage
  const recognizer = find(wanted)
  if (recognizer === undefined) throw unknownLanguage(wanted, candidates)
  return { recognizer, language: wanted }
}
