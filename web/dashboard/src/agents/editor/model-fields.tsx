import { Alert, Autocomplete, Select, Stack } from '@mantine/core'
import { Info } from 'lucide-react'
/** The model providers among which an Agent chooses. */
import { kindNames } from '../../model-providers/kind-names.js'
import type { ModelProvider } from '../../model-providers/provider-queries.js'
import { useModelServers, useProviderModels, useProviders } from '../../model-providers/provider-queries.js'
import { useWorkspace } from '../../session/signed-in.js'
import { PageAnchor } from '../../shared/links.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, NumberField } from './field-grid.js'

interface ProviderChoice {
  readonly value: string
  readonly label: string
  /** A note for the person who chooses it. */
  readonly note: string
  readonly models: readonly string[]
}

const setUpByOperator = 'Available if the operator of this installation has set it up.'

const ofInstallation: readonly ProviderChoice[] = [
  {
    value: 'builtin',
    label: 'Built-in rules (demonstration)',
    note: 'A demonstration without a language model: it cannot use the prompt. Use it to try voices, turn taking and tools.',
    models: ['rules'],
  },
  {
    value: 'openai_compatible',
    label: kindNames.openai_compatible,
    note: `A server of your own or of another company. ${setUpByOperator}`,
    models: [],
  },
  ...Object.entries(kindNames)
    .filter(([value]) => value !== 'openai_compatible')
    .map(([value, label]) => ({ value, label, note: setUpByOperator, models: [] })),
]

const toChoice = ({ id, kind, name, url }: ModelProvider): ProviderChoice => ({
  value: id,
  label: name,
  note: `${kindNames[kind]} of this workspace${url === null ? '' : `, at ${url}`}.`,
  models: [],
})

/** Those of the workspace before those of the installation. `providers` is undefined while they are not known. */
const providerChoices = (providers: readonly ModelProvider[] | undefined) => {
  const ofWorkspace = (providers ?? []).map(toChoice)
  const all = [...ofWorkspace, ...ofInstallation]
  return {
    find: (value: string): ProviderChoice | undefined => all.find((choice) => choice.value === value),
    /** The choices of a list. A chosen provider that is unknown remains a choice, so that the page shows the saved value. */
    groupsWith(chosen: string) {
      const isKnown = all.some(({ value }) => value === chosen)
      const unknown = { value: chosen, label: providers === undefined ? chosen : 'A provider that was deleted' }
      const groups = [
        { group: 'This workspace', items: isKnown ? ofWorkspace : [unknown, ...ofWorkspace] },
        { group: 'This installation', items: ofInstallation },
      ]
      return groups
        .filter(({ items }) => items.length > 0)
        .map(({ group, items }) => ({ group, items: items.map(({ value, label }) => ({ value, label })) }))
    },
  }
}

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
