import { Select, SimpleGrid, Stack } from '@mantine/core'
import { languageName } from '../../shared/languages.js'
import { Loaded } from '../../shared/loaded.js'
import { useVoices, type Voice } from '../../voices/voice-queries.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { NumberField } from './field-grid.js'
import { VoicePicker } from './voice-picker.js'

export const VoiceFields = () => {
  const voices = useVoices()
  return <Loaded query={voices}>{(listed) => <FoundVoiceFields voices={listed} />}</Loaded>
}

/** The value remains a choice even if the voice does not have it, so that the page shows the saved value. */
const withValue = (choices: { value: string; label: string }[], value: string) =>
  value === '' || choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }]

const FoundVoiceFields = ({ voices }: { readonly voices: readonly Voice[] }) => {
  const field = useField()
  const { values, errors, setFieldValue, clearFieldError } = useAgentFormContext()
  const { tts_variant, language } = values.voice_config
  const voice = voices.find(({ id }) => id === values.voice_id)
  const choose = ({ id, variants, languages }: Voice) => {
    setFieldValue('voice_id', id)
    clearFieldError('voice_id')
    // Values that the new voice does not have are reset to its defaults.
    if (!variants.some((variant) => variant.id === tts_variant)) {
      setFieldValue('voice_config.tts_variant', variants[0]?.id ?? '')
    }
    if (language !== null && !languages.includes(language)) setFieldValue('voice_config.language', '')
  }
  const setOrBlank = (path: 'voice_config.tts_variant' | 'voice_config.language') => (value: string | null) =>
    setFieldValue(path, value ?? '')
  const variants = (voice?.variants ?? []).map(({ id, display_name }) => ({ value: id, label: display_name }))
  const languages = (voice?.languages ?? []).map((tag) => ({ value: tag, label: languageName(tag) }))
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <VoicePicker voices={voices} chosenId={values.voice_id} error={errors.voice_id} onChange={choose} />
      <Stack>
        <Select
          {...field.choice('voice_config.tts_variant')}
          data={withValue(variants, tts_variant ?? '')}
          value={tts_variant === '' ? null : tts_variant}
          onChange={setOrBlank('voice_config.tts_variant')}
          placeholder="None yet"
          clearable
        />
        <Select
          {...field.choice('voice_config.language')}
          data={withValue(languages, language ?? '')}
          value={language === '' ? null : language}
          onChange={setOrBlank('voice_config.language')}
          placeholder="The main language of the voice"
          clearable
        />
        <SimpleGrid cols={2}>
          <NumberField path="voice_config.speed" step={0.05} decimalScale={2} />
          <NumberField path="voice_config.volume" step={0.1} decimalScale={2} />
        </SimpleGrid>
      </Stack>
    </SimpleGrid>
  )
}
