import { Alert, Autocomplete, Select, Stack, TextInput } from '@mantine/core'
import { Info } from 'lucide-react'
import { useProviders } from '../../model-providers/provider-queries.js'
import { useWorkspace } from '../../session/signed-in.js'
import { PageAnchor } from '../../shared/links.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, inputAboveHelp, NumberField } from './field-grid.js'
import { providerChoices } from './model-provider-choices.js'

export const ModelFields = () => {
  const field = useField()
  const query = useProviders()
  const { role } = useWorkspace()
  const { values, setFieldValue } = useAgentFormContext()
  const choices = providerChoices(query.data?.providers)
  const provider = choices.find(values.llm_provider)
  const choose = (value: string | null) => {
    if (value === null || value === values.llm_provider) return
    setFieldValue('llm_provider', value)
    setFieldValue('llm_model', choices.find(value)?.models[0] ?? '')
  }
  return (
    <Stack>
      <ProblemAlert error={query.error} />
      <FieldGrid>
        <Select
          {...field.choice('llm_provider')}
          inputWrapperOrder={inputAboveHelp}
          data={choices.groupsWith(values.llm_provider)}
          description={
            role === 'member' ? undefined : (
              <PageAnchor to="/model-providers" size="xs">
                Model providers of this workspace
              </PageAnchor>
            )
          }
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
