import { useQuery } from '@tanstack/react-query'
import { AudioLines } from 'lucide-react'
import { useEffect, useId } from 'react'
import { type Api, fetchApi } from '../api/api.js'
import { isUnauthorized } from '../api/problem.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { isAvailable, listVoices } from '../voices/voice-queries.js'
import { SpeechPanel } from './speech-panel.js'

interface SpeechWorkbenchProps {
  readonly api: Api
  /** The credential of `api` is not valid any more. */
  onUnauthorized?(): void
}

/** Speaks texts in the voices that there are. */
export const SpeechWorkbench = ({ api, onUnauthorized }: SpeechWorkbenchProps) => {
  const voices = useQuery({ queryKey: ['speech-voices', useId()], queryFn: () => listVoices(api), gcTime: 0 })
  const isRefused = isUnauthorized(voices.error)
  useEffect(() => {
    if (isRefused) onUnauthorized?.()
  }, [isRefused, onUnauthorized])
  return (
    <Loaded query={voices}>
      {(listed) =>
        listed.some(isAvailable) ? (
          <SpeechPanel api={api} voices={listed} {...(onUnauthorized && { onUnauthorized })} />
        ) : (
          <Empty icon={AudioLines} title="No voice is available now">
            No speech engine is running. The operator of this installation finds the reason in the log of the speech
            workers.
          </Empty>
        )
      }
    </Loaded>
  )
}

/** Speech in every voice of the workspace. */
export const SpeechPage = () => (
  <Page title="Speech">
    <SpeechWorkbench api={fetchApi} />
  </Page>
)
