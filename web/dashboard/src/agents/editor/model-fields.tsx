import { Alert, Autocomplete, Select, Stack } from '@mantine/core'
import { Info } from 'lucide-react'
import { useModelServers, useProviderModels, useProviders } from '../../model-providers/provider-queries.js'
import { useWorkspace } from '../../session/signed-in.js'
import { PageAnchor } from '../../shared/links.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, NumberField } from './field-grid.js'
import { providerChoices } from './model-provider-choices.js'

export const ModelFields = () => {
  const field = useField()
  const query = useProviders()
  const { role } = useWorkspace()
  const { values, setFieldValue } = useAgentFormContext()
  const choices = providerChoices(query.data)
  const provider = choices.find(values.llm_provider)
  const ofWorkspace = query.data?.find(({ id }) => id === values.llm_provider)
  const listed = useProviderModels(ofWorkspace?.id)
  const servers = useModelServers()
  const configured = servers.data?.configured.find((one) => one.provider === values.llm_provider)
  const models = provider?.models.length ? provider.models : (listed.data?.models ?? configured?.models ?? [])
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
          data={choices.groupsWith(values.llm_provider)}
          description={
            role === 'member' ? undefined : (
              <PageAnchor to="/model-providers" size="xs">
                Model providers of this workspace
              </PageAnchor>
            )
          }
          onChange={choose}
        />
        <Autocomplete {...field.input('llm_model')} data={[...models]} limit={50} spellCheck={false} />
      </FieldGrid>
      {provider !== undefined && <Alert icon={<Info />}>{provider.note}</Alert>}
      <FieldGrid>
        <NumberField path="llm_config.temperature" step={0.1} decimalScale={2} />
        <NumberField path="llm_config.max_output_tokens" step={64} />
        <NumberField path="llm_config.timeout_ms" step={500} />
      </FieldGrid>
    </Stack>
  )
}
