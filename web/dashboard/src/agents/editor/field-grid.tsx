import { NumberInput, type NumberInputProps, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField } from './agent-form.js'

/** For inputs beside each other: they begin at the same height, as descriptions are below them. */
export const inputAboveHelp: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

/** As many fields beside each other as there is room for, which a conversation beside them takes. */
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
