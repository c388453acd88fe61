import type { SessionMessage } from '@parlance/contracts'

export interface RecentWords {
  add(message: SessionMessage): void
  /** The latest, oldest first. */
  all(): readonly SessionMessage[]
}

const most = { messages: 200, characters: 24_000 }

/** What was said last in a conversation, as far as it is drawn upon when it is over. */
export const createRecentWords = (): RecentWords => {
  const messages: SessionMessage[] = []
  let characters = 0
  return {
    add(message) {
      messages.push(message)
      characters += message.text.length
      while (messages.length > most.messages || (characters > most.characters && messages.length > 1)) {
        characters -= messages.shift()!.text.length
      }
    },
    all: () => messages,
  }
}
