import type { SessionMessage } from '@parlance/contracts'

export interface RecentMessages {
  add(message: SessionMessage): void
  /** Oldest first. */
  all(): readonly SessionMessage[]
}

const maxMessages = 200
const maxCharacters = 24_000

/** The latest messages of a conversation, of which facts are extracted. The last one is kept however long it is. */
export const createRecentMessages = (): RecentMessages => {
  const messages: SessionMessage[] = []
  let characters = 0
  return {
    add(message) {
      messages.push(message)
      characters += message.text.length
      while (messages.length > maxMessages || (characters > maxCharacters && messages.length > 1)) {
        characters -= messages.shift()!.text.length
      }
    },
    all: () => messages,
  }
}
