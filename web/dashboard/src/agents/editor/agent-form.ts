import { createFormContext, isNotEmpty } from '@mantine/form'
import type { FC, ReactNode } from 'react'
import { fieldAt, inputLimitsOf } from '../fields.js'
import { type Section, sections } from '../sections.js'
import { type AgentDraft, jsonObjectProblem } from './agent-draft.js'

export type AgentForm = ReturnType<ReturnType<typeof createFormContext<AgentDraft>>[1]>

const [Provider, useFormContext, useForm] = createFormContext<AgentDraft>()

/** Provides the form to the inputs within it. */
export const AgentFormProvider: FC<{ form: AgentForm; children: ReactNode }> = Provider

/** The form of the editor in which a component is. */
export const useAgentFormContext: () => AgentForm = useFormContext

/** The form of an Agent. It checks only what cannot be sent; the API checks the rest. */
export const useAgentForm = (initialValues: AgentDraft): AgentForm =>
  useForm({
    mode: 'controlled',
    initialValues,
    validate: {
      display_name: isNotEmpty('Give the Agent a name.'),
      llm_model: isNotEmpty('Name the model.'),
      metadata: jsonObjectProblem,
      tools: { name: isNotEmpty('Give the tool a name.'), parameters: jsonObjectProblem, headers: jsonObjectProblem },
    },
  })

/** Help is below its input, so that adjacent inputs begin at the same height. */
const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/**
 * Returns functions that give an input of the form its label, its limits, its value and its error, by the path of the field.
 */
export const useField = () => {
  const form = useAgentFormContext()
  const labelsOf = (path: string): { label: string; description?: string } => {
    const { section: _, name: __, ...labels } = fieldAt(path)
    return labels
  }
  /** For choices, which have no limits. */
  const choice = (path: string) => ({ ...labelsOf(path), inputWrapperOrder, ...form.getInputProps(path) })
  return {
    choice,
    input: (path: string) => ({ ...choice(path), ...inputLimitsOf(fieldAt(path).name) }),
    checkbox: (path: string) => ({ ...labelsOf(path), ...form.getInputProps(path, { type: 'checkbox' }) }),
  }
}

/** The sections that have a field with an error, in their order. */
export const sectionsWithErrors = (errors: AgentForm['errors']): Section[] => {
  const found = new Set(
    Object.entries(errors)
      .filter(([, error]) => error)
      .map(([path]) => fieldAt(path).section),
  )
  return (Object.keys(sections) as Section[]).filter((section) => found.has(section))
}
