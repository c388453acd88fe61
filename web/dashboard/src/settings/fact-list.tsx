import { SimpleGrid, Text } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'

const breakingAnywhere: CSSProperties = { overflowWrap: 'anywhere' }

/** Names with their values, beside each other. */
export const FactList = ({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="sm" m={0}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <Text component="dt" size="xs" c="dimmed">
          {name}
        </Text>
        <Text component="dd" size="sm" m={0} style={breakingAnywhere}>
          {value}
        </Text>
      </div>
    ))}
  </SimpleGrid>
)
