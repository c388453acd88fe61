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

/** Fields beside each other, and below each other on a phone. */
export const FieldGrid = ({ children }: { readonly children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>{children}</SimpleGrid>
)

/** A number of the Agent within its limits. */
export const NumberField = ({ path, ...props }: { readonly path: string } & NumberInputProps) => {
  const field = useField()
  return <NumberInput {...field.input(path)} inputWrapperOrder={inputAboveHelp} {...props} />
}
