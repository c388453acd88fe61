import { NumberInput, type NumberInputProps, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField } from './agent-form.js'

/** For adjacent inputs: their descriptions are below them, so that they begin at the same height. */
export const inputAboveHelp: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

/** As many columns as fit; fewer with a conversation beside the fields. */
export const FieldGrid = ({ children }: { readonly children: ReactNode }) => (
  <SimpleGrid type="container" cols={{ base: 1, '450px': 2, '700px': 3 }}>
    {children}
  </SimpleGrid>
)

/** A number of the Agent within its limits. */
export const NumberField = ({ path, ...props }: { readonly path: string } & NumberInputProps) => {
  const field = useField()
  return <NumberInput {...field.input(path)} inputWrapperOrder={inputAboveHelp} {...props} />
}
