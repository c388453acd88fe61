import { Button, Code, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { type Api, createKeyApi } from '../api/api.js'
import { isUnauthorized, type Problem, problemOf, refusalOf } from '../api/problem.js'
import { Form } from '../shared/form.js'
import { PageAnchor } from '../shared/links.js'
import { Page } from '../shared/page.js'
import { SecretInput } from '../shared/secret-inputs.js'

interface KeptKeyProps {
  readonly value: string
  onForget(): void
}

/** The end of the key in use, and the way to remove it. */
const KeptKey = ({ value, onForget }: KeptKeyProps) => (
  <Group gap="xs" wrap="nowrap">
    <Text>
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
  readonly problem: Problem | undefined
  /** Rejects, as calls of the API do, when the key cannot be used. */
  check(key: string): Promise<unknown>
  onAccepted(key: string): void
}

const unknownKey = refusalOf('key', 'This key is not known here, or was revoked.')

/** Asks for an API key, for pages that need no account. */
const KeyForm = ({ problem, check, onAccepted }: KeyFormProps) => {
  const use = useMutation({
    mutationFn: (key: string) =>
      check(key).catch((error: unknown) => {
        throw isUnauthorized(error) ? unknownKey : refusalOf('key', problemOf(error).detail)
      }),
    onSuccess: (_, key) => onAccepted(key),
  })
  return (
    <Paper withBorder p="lg" id="key-form">
      <Form
        mutation={{ error: use.error ?? problem }}
        onSubmit={({ key = '' }) => key.trim() !== '' && use.mutate(key.trim())}
        buttons={
          <Text c="dimmed">
            It is kept in this tab until you close the tab or forget the key, and sent only to this host.{' '}
            <Code>npm start</Code> prints one. With an account you need none:{' '}
            <PageAnchor to="/sign-in" underline="always">
              sign in
            </PageAnchor>
            .
          </Text>
        }
      >
        {(field) => (
          <Group gap={8} wrap="nowrap" align="flex-start">
            <SecretInput
              id="key"
              flex={1}
              label="API key"
              placeholder="awp_…"
              showLabel="Show the key"
              required
              spellCheck={false}
              autoFocus
              {...field('key')}
              errorProps={{ id: 'key-problem', role: 'alert' }}
            />
            {/* Beside the field, below its label. */}
            <Button id="use-key" type="submit" mt={25} flex="none" loading={use.isPending}>
              Use key
            </Button>
          </Group>
        )}
      </Form>
    </Paper>
  )
}

interface KeyedPageProps {
  readonly title: string
  /** Rejects, as calls of the API do, when the key of `api` cannot be used. */
  check(api: Api): Promise<unknown>
  /** The content, which uses the key. `onUnauthorized` asks for another key. */
  children(api: Api, onUnauthorized: () => void): ReactNode
}

/** A page that needs no account but a pasted key. Its content restarts with another key. */
export const KeyedPage = ({ title, check, children }: KeyedPageProps) => {
  const { key, keep, forget } = useKeptKey()
  const [problem, setProblem] = useState<Problem>()
  const api = useMemo(() => (key === null ? undefined : createKeyApi(key)), [key])
  const lock = (reason?: Problem) => {
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
