import { useMemo, useState } from 'react'
import { createKeyApi } from '../api/key-api.js'
import { Page } from '../shared/page.js'
import { listTalkAgents } from '../talk/talk-agents.js'
import { TalkWorkbench } from '../talk/talk-workbench.js'
import { KeptKey } from './kept-key.js'
import { KeyForm, unknownKey } from './key-form.js'
import { useKeptKey } from './use-kept-key.js'

/** Another user with each visit. Browsers make no UUID on pages that are neither on https nor on localhost. */
const newEndUserId = (): string | undefined => (window.isSecureContext ? crypto.randomUUID() : undefined)

/** Conversations without an account, with the Agents of the workspace of a pasted key. */
export const KeyedTalkPage = () => {
  const { key, keep, forget } = useKeptKey()
  const [problem, setProblem] = useState<string>()
  const api = useMemo(() => (key === null ? undefined : createKeyApi(key)), [key])
  const [endUserId] = useState(newEndUserId)
  const lock = (reason?: string) => {
    setProblem(reason)
    forget()
  }
  if (key === null || api === undefined) {
    return (
      <Page title="Talk with an Agent">
        <KeyForm problem={problem} check={(typed) => listTalkAgents(createKeyApi(typed))} onAccepted={keep} />
      </Page>
    )
  }
  return (
    <Page title="Talk with an Agent" actions={<KeptKey value={key} onForget={() => lock()} />}>
      <TalkWorkbench key={key} api={api} endUserId={endUserId} onUnauthorized={() => lock(unknownKey)} />
    </Page>
  )
}
