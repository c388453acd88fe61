import { useState } from 'react'
import { baseLanguage, languageName } from '../shared/languages.js'
import type { Voice } from './voice-queries.js'

/** The languages that the voices speak, by name. */
const languagesOf = (voices: readonly Voice[]): { value: string; label: string }[] =>
  [...new Set(voices.flatMap(({ languages }) => languages.map(baseLanguage)))]
    .map((value) => ({ value, label: languageName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))

/** The voices that speak a language, and whose name or description has the text. */
const matchingVoices = (voices: readonly Voice[], language: string | null, text: string): readonly Voice[] => {
  const wanted = text.trim().toLowerCase()
  return voices.filter(
    ({ languages, display_name, description, tags }) =>
      (language === null || languages.some((tag) => baseLanguage(tag) === language)) &&
      [display_name, description, ...tags].some((part) => part.toLowerCase().includes(wanted)),
  )
}

/** Voices by text and language: those that match, and what the two fields need. */
export const useVoiceFilter = (voices: readonly Voice[]) => {
  const [language, setLanguage] = useState<string | null>(null)
  const [text, setText] = useState('')
  return {
    matching: matchingVoices(voices, language, text),
    textField: {
      value: text,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setText(currentTarget.value),
    },
    languageField: {
      data: languagesOf(voices),
      value: language,
      onChange: setLanguage,
      nothingFoundMessage: 'No voice speaks it',
      searchable: true,
      clearable: true,
      clearButtonProps: { 'aria-label': 'All languages' },
    },
  }
}
