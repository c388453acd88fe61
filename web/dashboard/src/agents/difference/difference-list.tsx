import { Text } from '@mantine/core'
import { useAvatars } from '../../avatars/avatar-queries.js'
import { useVoices } from '../../voices/voice-queries.js'
import type { AgentConfig } from '../agent.js'
import { comparedTexts } from './compared-texts.js'
import { configDifferences, type Difference } from './config-differences.js'
import classes from './difference-list.module.css'

/** The names of voices and avatars by their ids, as far as they are loaded. */
const useCatalogNames = (): ReadonlyMap<string, string> => {
  const [voices, avatars] = [useVoices().data ?? [], useAvatars().data ?? []]
  return new Map([...voices, ...avatars].map(({ id, display_name }) => [id, display_name]))
}

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
