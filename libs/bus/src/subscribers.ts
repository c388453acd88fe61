import type { Message } from './bus.js'
import { createSubjectMatcher } from './subject.js'

export interface Subscriber {
  readonly onMessage: (message: Message) => void
  /** The queue group. Each message goes to one member of the group. */
  readonly queue: string | undefined
  /** False once it has unsubscribed. */
  active: boolean
}

/** The subscribers of an in-process bus, by subject. */
export interface Subscribers {
  /** The subject may be a pattern. Returns a function that removes the subscriber. */
  add(subject: string, subscriber: Subscriber): () => void
  /** Those that get a message of this subject. The members of a queue group take turns. */
  select(subject: string): Subscriber[]
}

interface PatternSubscriber {
  readonly matches: (subject: string) => boolean
  readonly subscriber: Subscriber
}

export const createSubscribers = (): Subscribers => {
  const exact = new Map<string, Subscriber[]>()
  const patterns: PatternSubscriber[] = []
  /** How often a queue group has received a message of a subject. */
  const rotations = new Map<string, number>()

  const addExact = (subject: string, subscriber: Subscriber) => {
    const list = exact.get(subject) ?? []
    exact.set(subject, list)
    list.push(subscriber)
    return () => {
      remove(list, subscriber)
      if (list.length === 0 && exact.get(subject) === list) exact.delete(subject)
    }
  }

  const addPattern = (subject: string, subscriber: Subscriber) => {
    const pattern = { matches: createSubjectMatcher(subject), subscriber }
    patterns.push(pattern)
    return () => remove(patterns, pattern)
  }

  const matching = (subject: string): Subscriber[] => [
    ...(exact.get(subject) ?? []),
    ...patterns.flatMap(({ matches, subscriber }) => (matches(subject) ? [subscriber] : [])),
  ]

  const nextOf = (queue: string, members: readonly Subscriber[], subject: string): Subscriber => {
    const key = `${queue} ${subject}`
    const rotation = rotations.get(key) ?? 0
    rotations.set(key, rotation + 1)
    return members[rotation % members.length]!
  }

  return {
    add: (subject, subscriber) =>
      subject.includes('*') || subject.endsWith('>') ? addPattern(subject, subscriber) : addExact(subject, subscriber),

    select(subject) {
      const selected: Subscriber[] = []
      const groups = new Map<string, Subscriber[]>()
      for (const subscriber of matching(subject)) {
        if (subscriber.queue === undefined) selected.push(subscriber)
        else groups.set(subscriber.queue, [...(groups.get(subscriber.queue) ?? []), subscriber])
      }
      for (const [queue, members] of groups) selected.push(nextOf(queue, members, subject))
      return selected
    },
  }
}

const remove = <Item>(list: Item[], item: Item): void => {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
