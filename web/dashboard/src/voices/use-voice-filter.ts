import { useState } from 'react'
import { languagesOf, matchingVoices } from './voice-languages.js'
import type { Voice } from './voice-queries.js'

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
      data: [...languagesOf(voices)],
      value: language,
      onChange: setLanguage,
      nothingFoundMessage: 'No voice speaks it',
      searchable: true,
      clearable: true,
      clearButtonProps: { 'aria-label': 'All languages' },
    },
  }
}
