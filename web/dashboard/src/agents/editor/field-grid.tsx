import { JsonInput, type JsonInputProps, NumberInput, type NumberInputProps, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { jsonObjectProblem } from './agent-draft.js'
import { useField } from './agent-form.js'

/** As many columns as fit; fewer with a conversation beside the fields. */
export const FieldGrid = ({ children }: { readonly children: ReactNode }) => (
  <SimpleGrid type="container" cols={{ base: 1, '450px': 2, '700px': 3 }}>
    {children}
  </SimpleGrid>
)

/** A number of the Agent within its limits. */
export const NumberField = ({ path, ...props }: { readonly path: string } & NumberInputProps) => {
  const field = useField()
  return <NumberInput {...field.input(path)} {...props} />
}

/**
 * An input for a JSON object. Its error remains visible after the focus has left, where the library's own input only marks it.
 */
export const JsonField = ({ value = '', error, ...props }: JsonInputProps) => (
  <JsonInput
    {...props}
    value={value}
    error={error}
    validationError={error || jsonObjectProblem(value)}
    autosize
    spellCheck={false}
  />
)
