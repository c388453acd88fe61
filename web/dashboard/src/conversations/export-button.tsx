import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { saveFile } from '../shared/save-file.js'
import type { Conversation } from './conversation-queries.js'

/** Has the browser save the conversation, with its turns, its calls of tools and its analysis, as a JSON file. */
const save = (conversation: Conversation): void => {
  const file = new Blob([`${JSON.stringify(conversation, null, 2)}\n`], { type: 'application/json' })
  saveFile(file, `conversation-${conversation.id}.json`)
}

export const ExportButton = ({ conversation }: { readonly conversation: Conversation }) => (
  <Button variant="default" leftSection={<Download />} onClick={() => save(conversation)}>
    Export as JSON
  </Button>
)
