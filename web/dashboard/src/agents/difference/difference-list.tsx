import { Text } from '@mantine/core'
import type { AgentConfig } from '../agent.js'
import { useCatalogNames } from './catalog-names.js'
import { comparedTexts } from './compared-texts.js'
import { configDifferences, type Difference } from './config-differences.js'
import classes from './difference-list.module.css'

export interface DifferenceListProps {
  readonly before: AgentConfig
  readonly after: AgentConfig
}

/** Field by field: what was removed, and what was added. */
export const DifferenceList = ({ before, after }: DifferenceListProps) => {
  const differences = configDifferences(before, after, useCatalogNames())
  if (differences.length === 0) return <Text size="sm">There is no difference.</Text>
  return (
    <dl className={classes.list}>
      {differences.map((difference) => (
        <div key={difference.path}>
          <Text component="dt" size="sm" fw={550}>
            {difference.label}
          </Text>
          <dd className={classes.text} dir="auto">
            <ComparedText {...difference} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const elements = { same: 'span', removed: 'del', added: 'ins' } as const

const ComparedText = ({ before, after }: Pick<Difference, 'before' | 'after'>) =>
  comparedTexts(before, after).map(({ kind, text, position }) => {
    const Element = elements[kind]
    return (
      <Element key={position} className={classes[kind]}>
        {text}
      </Element>
    )
  })
