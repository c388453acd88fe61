/** The two fields that choose a voice and one of its variants. */

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

export const createVoiceFields = (voiceField, variantField) => {
  let voices = []

  const chosen = () => voices.find(({ id }) => id === voiceField.value)

  const showVariants = () => {
    const variants = chosen()?.variants ?? []
    const options = variants.map(({ id, display_name, credit_per_1k_characters: price }) =>
      option(id, `${display_name} · ${price} credit per 1,000 characters`),
    )
    variantField.replaceChildren(...options)
    variantField.disabled = options.length === 0
  }
  voiceField.addEventListener('change', showVariants)

  return {
    /** Returns how many of them can be used. */
    show(newVoices) {
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
      voiceField.selectedIndex = [...voiceField.options].findIndex(({ disabled }) => !disabled)
      showVariants()
      return available.length
    },

    chosen: () => ({ voiceId: voiceField.value, variant: variantField.value }),
  }
}
