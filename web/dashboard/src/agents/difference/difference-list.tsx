import { ScrollArea, Text } from '@mantine/core'
import { diffWordsWithSpace } from 'diff'
import { useAvatars } from '../../avatars/avatar-queries.js'
import { Loaded } from '../../shared/loaded.js'
import { useVoices } from '../../voices/voice-queries.js'
import type { Agent, AgentConfig } from '../agent.js'
import { useRevision } from '../history/history-queries.js'
import { configDifferences, type Difference } from './config-differences.js'
import classes from './difference-list.module.css'

interface TextPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** The position of the part, which is unique within the two texts. */
  readonly position: string
}

/** The time limit. Texts that take longer have little in common. */
const maxCompareMs = 100

const isOneWord = (text: string): boolean => !/\s/.test(text)

const kindOf = ({ removed, added }: { removed: boolean; added: boolean }): TextPart['kind'] =>
  removed ? 'removed' : added ? 'added' : 'same'

/** The whole texts, each in its line. */
const wholeTexts = (before: string, after: string): TextPart[] => {
  const separator = before === '' || after === '' ? '' : '\n'
  const parts: TextPart[] = [
    { kind: 'removed', text: before, position: 'before' },
    { kind: 'same', text: separator, position: 'between' },
    { kind: 'added', text: after, position: 'after' },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** The words that two texts have in common, and those that were removed and added. Single words are not taken apart. */
const comparedTexts = (before: string, after: string): TextPart[] => {
  if (isOneWord(before) || isOneWord(after)) return wholeTexts(before, after)
  const changes = diffWordsWithSpace(before, after, { timeout: maxCompareMs })
  return (
    changes?.map((change, index) => ({ kind: kindOf(change), text: change.value, position: String(index) })) ??
    wholeTexts(before, after)
  )
}

/** The names of voices and avatars by their ids, as far as they are loaded. */
const useCatalogNames = (): ReadonlyMap<string, string> => {
  const [voices, avatars] = [useVoices().data ?? [], useAvatars().data ?? []]
  return new Map([...voices, ...avatars].map(({ id, display_name }) => [id, display_name]))
}

interface DifferenceListProps {
  readonly before: AgentConfig
  readonly after: AgentConfig
}

/** Field by field: what was removed, and what was added. */
export const DifferenceList = ({ before, after }: DifferenceListProps) => {
  const differences = configDifferences(before, after, useCatalogNames())
  if (differences.length === 0) return <Text>There is no difference.</Text>
  return (
    <dl className={classes.list}>
      {differences.map((difference) => (
        <div key={difference.path}>
          <Text component="dt" fw={550}>
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

interface DifferenceFromPublishedProps {
  readonly agent: Agent
  /** The configuration that would be published. */
  readonly config: AgentConfig
}

/** The differences from the published configuration. */
export const DifferenceFromPublished = ({ agent, config }: DifferenceFromPublishedProps) => {
  const published = agent.active_publication?.revision.version
  const standing = useRevision(agent.id, published)
  if (published === undefined) return <Text>This is the first publication. Conversations can begin after it.</Text>
  return (
    <ScrollArea.Autosize
      mah="45vh"
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'What changes' }}
    >
      <Loaded query={standing}>{(revision) => <DifferenceList before={revision.config} after={config} />}</Loaded>
    </ScrollArea.Autosize>
  )
}
