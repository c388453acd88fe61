import { type ReactNode, useMemo, useState } from 'react'
import type { Api } from '../api/api.js'
import { createKeyApi } from '../api/key-api.js'
import { Page } from '../shared/page.js'
import { KeptKey } from './kept-key.js'
import { KeyForm, unknownKey } from './key-form.js'
import { useKeptKey } from './use-kept-key.js'

export interface KeyedPageProps {
  readonly title: string
  /** Rejects, as calls of the API do, when the key of `api` cannot be used. */
  check(api: Api): Promise<unknown>
  /** The content, which uses the key. `onUnauthorized` asks for another key. */
  children(api: Api, onUnauthorized: () => void): ReactNode
}

/** A page that needs no account but a pasted key. Its content restarts with another key. */
export const KeyedPage = ({ title, check, children }: KeyedPageProps) => {
  const { key, keep, forget } = useKeptKey()
  const [problem, setProblem] = useState<string>()
  const api = useMemo(() => (key === null ? undefined : createKeyApi(key)), [key])
  const lock = (reason?: string) => {
    setProblem(reason)
    forget()
  }
  if (key === null || api === undefined) {
    return (
      <Page title={title}>
        <KeyForm problem={problem} check={(typed) => check(createKeyApi(typed))} onAccepted={keep} />
      </Page>
    )
  }
  return (
    <Page key={key} title={title} actions={<KeptKey value={key} onForget={() => lock()} />}>
      {children(api, () => lock(unknownKey))}
    </Page>
  )
}
