/** The model providers among which an Agent chooses. */
import { kindNames } from '../../model-providers/kind-names.js'
import type { ModelProvider } from '../../model-providers/provider-queries.js'

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
export const providerChoices = (providers: readonly ModelProvider[] | undefined) => {
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
