import { createContext, useContext } from 'react'
import type { components } from '../../api/schema.js'

export type RecordingSettings = components['schemas']['AgentRecording']['settings']

/** What a person changed about the recording and has not saved; undefined where that is nothing. */
export interface RecordingDraft {
  readonly draft: RecordingSettings | undefined
  setDraft(draft: RecordingSettings | undefined): void
}

/** The draft is of the editor: its section is gone while another one is open. */
export const RecordingDraftContext = createContext<RecordingDraft | undefined>(undefined)

/** For components in the editor of an Agent. */
export const useRecordingDraft = (): RecordingDraft => {
  const draft = useContext(RecordingDraftContext)
  if (draft === undefined) throw new Error('not in the editor of an Agent')
  return draft
}
