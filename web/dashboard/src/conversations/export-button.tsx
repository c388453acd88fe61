import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import type { Conversation } from './conversation-queries.js'

/** Has the browser save the conversation, with its turns, as a JSON file. */
const save = (conversation: Conversation): void => {
  const file = new Blob([`${JSON.stringify(conversation, null, 2)}\n`], { type: 'application/json' })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `conversation-${conversation.id}.json`
  link.click()
  // The browser has begun the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export const ExportButton = ({ conversation }: { readonly conversation: Conversation }) => (
  <Button variant="default" leftSection={<Download aria-hidden size={16} />} onClick={() => save(conversation)}>
    Export as JSON
  </Button>
)
