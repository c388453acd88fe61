/** The two fields that choose a voice and one of its variants, and what that costs. */

const nameOfLanguage = new Intl.DisplayNames(['en'], { type: 'language' })
const languageOf = ({ languages: [tag] }) => nameOfLanguage.of(new Intl.Locale(tag).language)

const option = (value, label, disabled = false) => Object.assign(new Option(label, value), { disabled })

const group = (label, options) => {
  const element = Object.assign(document.createElement('optgroup'), { label })
  element.append(...options)
  return element
}

const labelOf = ({ display_name, languages: [tag], gender, status }) => {
  const { region } = new Intl.Locale(tag)
  const traits = [gender, region, status !== 'available' && 'not available'].filter(Boolean)
  return `${display_name} · ${traits.join(', ')}`
}

const byLanguage = (voices) => {
  const groups = new Map()
  for (const voice of voices) {
    const language = languageOf(voice)
    groups.set(language, [...(groups.get(language) ?? []), voice])
  }
  const own = nameOfLanguage.of(new Intl.Locale(navigator.language).language)
  return [...groups].sort(([a], [b]) => Number(b === own) - Number(a === own) || a.localeCompare(b))
}

/** What this person reads, the exact region before the mere language; English where no voice speaks any of that. */
const wantedLanguages = () => [
  ...navigator.languages,
  ...navigator.languages.map((tag) => new Intl.Locale(tag).language),
  'en',
]

/** The list begins with the best voice. */
const nearest = (voices) => {
  const speaking = (range) => voices.find(({ languages: [tag] }) => tag === range || tag.startsWith(`${range}-`))
  return wantedLanguages().map(speaking).find(Boolean) ?? voices[0]
}

export const createVoiceFields = (voiceField, variantField, price, changed) => {
  let voices = []

  const chosen = () => voices.find(({ id }) => id === voiceField.value)

  const showVariants = () => {
    const variants = chosen()?.variants ?? []
    variantField.replaceChildren(...variants.map(({ id, display_name }) => option(id, display_name)))
    variantField.disabled = variants.length === 0
    showPrice()
  }
  const showPrice = () => {
    const variant = chosen()?.variants.find(({ id }) => id === variantField.value)
    price.textContent = variant ? `${variant.credit_per_1k_characters} credit per 1,000 characters` : ''
  }
  voiceField.addEventListener('change', () => {
    showVariants()
    changed(chosen().languages[0])
  })
  variantField.addEventListener('change', showPrice)

  return {
    /** Chooses the voice with this id, or else the nearest. Returns how many can be used. */
    show(newVoices, chosenId) {
      voices = newVoices
      const available = voices.filter(({ status }) => status === 'available')
      const groups = byLanguage(voices).map(([language, ofLanguage]) =>
        group(
          language,
          ofLanguage.map((voice) => option(voice.id, labelOf(voice), voice.status !== 'available')),
        ),
      )
      voiceField.replaceChildren(...groups)
      voiceField.disabled = available.length === 0
      voiceField.value = chosenId ?? nearest(available)?.id ?? ''
      showVariants()
      if (available.length > 0) changed(chosen().languages[0])
      return available.length
    },

    chosen: () => ({ voiceId: voiceField.value, variant: variantField.value }),
  }
}
