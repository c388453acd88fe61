import { Alert, Autocomplete, Select, Stack, TextInput } from '@mantine/core'
import { Info } from 'lucide-react'
import { useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, inputAboveHelp, NumberField } from './field-grid.js'

interface Provider {
  readonly value: string
  readonly label: string
  /** What a person must know who chooses it. */
  readonly note: string
  readonly models: readonly string[]
}

const setUpByOperator = 'It works where the operator of this installation has set it up.'

const providers: readonly Provider[] = [
  {
    value: 'builtin',
    label: 'Built-in rules',
    note: 'Needs no account. It follows rules and does not read the system prompt, so use it to try voices, turn taking and tools.',
    models: ['rules'],
  },
  {
    value: 'openai_compatible',
    label: 'OpenAI-compatible server',
    note: `A server of your own or of another company. ${setUpByOperator}`,
    models: [],
  },
  { value: 'openai', label: 'OpenAI', note: setUpByOperator, models: [] },
  { value: 'anthropic', label: 'Anthropic', note: setUpByOperator, models: [] },
]

export const ModelFields = () => {
  const field = useField()
  const { values, setFieldValue } = useAgentFormContext()
  const provider = providers.find(({ value }) => value === values.llm_provider)
  // A provider that this page does not know stays as it is.
  const choices =
    provider === undefined ? [...providers, { value: values.llm_provider, label: values.llm_provider }] : providers
  const choose = (value: string | null) => {
    if (value === null || value === values.llm_provider) return
    setFieldValue('llm_provider', value)
    setFieldValue('llm_model', providers.find((known) => known.value === value)?.models[0] ?? '')
  }
  return (
    <Stack>
      <FieldGrid>
        <Select
          {...field.choice('llm_provider')}
          data={choices.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          onChange={choose}
        />
        {provider === undefined || provider.models.length === 0 ? (
          <TextInput
            {...field.input('llm_model')}
            inputWrapperOrder={inputAboveHelp}
            autoComplete="off"
            spellCheck={false}
          />
        ) : (
          <Autocomplete {...field.input('llm_model')} inputWrapperOrder={inputAboveHelp} data={[...provider.models]} />
        )}
      </FieldGrid>
      {provider !== undefined && (
        <Alert variant="light" icon={<Info aria-hidden />}>
          {provider.note}
        </Alert>
      )}
      <FieldGrid>
        <NumberField path="llm_config.temperature" step={0.1} decimalScale={2} />
        <NumberField path="llm_config.max_output_tokens" step={64} />
        <NumberField path="llm_config.timeout_ms" step={500} />
      </FieldGrid>
    </Stack>
  )
}
