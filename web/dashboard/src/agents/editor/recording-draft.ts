import { createContext, useContext } from 'react'
import type { components } from '../../api/schema.js'

export type RecordingSettings = components['schemas']['AgentRecording']['settings']

/** The unsaved changes of the recording settings; undefined when there are none. */
interface RecordingDraft {
  readonly draft: RecordingSettings | undefined
  setDraft(draft: RecordingSettings | undefined): void
}

/** The editor holds the draft, because its section is unmounted while another one is open. */
export const RecordingDraftContext = createContext<RecordingDraft | undefined>(undefined)

/** For components in the editor of an Agent. */
export const useRecordingDraft = (): RecordingDraft => {
  const draft = useContext(RecordingDraftContext)
  if (draft === undefined) throw new Error('not in the editor of an Agent')
  return draft
}
