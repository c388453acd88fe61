import { Button, Code, Group, Paper, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import type { Api } from '../api/api.js'
import { createKeyApi } from '../api/api.js'
import { isUnauthorized, problemOf } from '../api/problem.js'
import { PageAnchor } from '../shared/links.js'
import { Page } from '../shared/page.js'
import classes from './keyed-page.module.css'

interface KeptKeyProps {
  readonly value: string
  onForget(): void
}

/** The end of the key in use, and the way to remove it. */
const KeptKey = ({ value, onForget }: KeptKeyProps) => (
  <Group gap="xs" wrap="nowrap">
    <Text size="sm">
      Key <Code id="key-end">…{value.slice(-4)}</Code>
    </Text>
    <Button id="forget-key" size="compact-sm" variant="default" onClick={onForget}>
      Forget
    </Button>
  </Group>
)

const keptAs = 'parlance.key'

/** The key that a person has pasted. It is kept in the tab until it is forgotten. */
const useKeptKey = () => {
  const [key, setKey] = useState(() => sessionStorage.getItem(keptAs))
  return {
    key,
    keep(accepted: string) {
      sessionStorage.setItem(keptAs, accepted)
      setKey(accepted)
    },
    forget() {
      sessionStorage.removeItem(keptAs)
      setKey(null)
    },
  }
}

interface KeyFormProps {
  /** Why the previous key was not stored. */
  readonly problem?: string | undefined
  /** Rejects, as calls of the API do, when the key cannot be used. */
  check(key: string): Promise<unknown>
  onAccepted(key: string): void
}

const unknownKey = 'This key is not known here, or was revoked.'

/** Asks for an API key, for pages that need no account. */
const KeyForm = ({ problem, check, onAccepted }: KeyFormProps) => {
  const [typed, setTyped] = useState('')
  const use = useMutation({ mutationFn: check, onSuccess: (_, key) => onAccepted(key) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') use.mutate(typed.trim())
  }
  const failure = use.error === null ? problem : isUnauthorized(use.error) ? unknownKey : problemOf(use.error).detail
  return (
    <Paper withBorder p="lg" component="form" id="key-form" onSubmit={submit}>
      <Stack gap="sm">
        <div className={classes.row}>
          <PasswordInput
            id="key"
            label="API key"
            placeholder="awp_…"
            required
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={typed}
            error={failure}
            aria-invalid={failure !== undefined}
            errorProps={{ id: 'key-problem', role: 'alert' }}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button id="use-key" type="submit" loading={use.isPending}>
            Use key
          </Button>
        </div>
        <Text size="sm" c="dimmed">
          It is kept in this tab until you close the tab or forget the key, and sent only to this host.{' '}
          <Code>npm start</Code> prints one. With an account you need none:{' '}
          <PageAnchor to="/sign-in" underline="always">
            sign in
          </PageAnchor>
          .
        </Text>
      </Stack>
    </Paper>
  )
}

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
