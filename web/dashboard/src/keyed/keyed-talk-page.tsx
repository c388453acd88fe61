import { useState } from 'react'
import { listTalkAgents } from '../talk/talk-agents.js'
import { TalkWorkbench } from '../talk/talk-page.js'
import { KeyedPage } from './keyed-page.js'

/** A new user for each visit. Browsers create no UUID on pages that are neither on https nor on localhost. */
const newEndUserId = (): string | undefined => (window.isSecureContext ? crypto.randomUUID() : undefined)

/** Conversations without an account, with the Agents of the workspace of a pasted key. */
export const KeyedTalkPage = () => {
  const [endUserId] = useState(newEndUserId)
  return (
    <KeyedPage title="Talk with an Agent" check={listTalkAgents}>
      {(api, onUnauthorized) => (
        <TalkWorkbench api={api} endUserId={endUserId} isMember={false} onUnauthorized={onUnauthorized} />
      )}
    </KeyedPage>
  )
}
