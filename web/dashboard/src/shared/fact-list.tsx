import { SimpleGrid, Text } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'

const breakingAnywhere: CSSProperties = { overflowWrap: 'anywhere' }

/** A name with its value. */
export type Fact = readonly [string, ReactNode]

/** Names with their values, beside each other. */
export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 4 }} spacing="md" verticalSpacing="sm" m={0}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <Text component="dt" size="xs" c="dimmed">
          {name}
        </Text>
        <Text component="dd" m={0} dir="auto" ta="left" style={breakingAnywhere}>
          {value}
        </Text>
      </div>
    ))}
  </SimpleGrid>
)
