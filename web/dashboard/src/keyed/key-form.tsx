import { Button, Code, Paper, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isUnauthorized, problemOf } from '../api/problem.js'
import { PageAnchor } from '../shared/links.js'
import classes from './key-form.module.css'

export interface KeyFormProps {
  /** Why the previous key was not stored. */
  readonly problem?: string | undefined
  /** Rejects, as calls of the API do, when the key cannot be used. */
  check(key: string): Promise<unknown>
  onAccepted(key: string): void
}

export const unknownKey = 'This key is not known here, or was revoked.'

/** Asks for an API key, for pages that need no account. */
export const KeyForm = ({ problem, check, onAccepted }: KeyFormProps) => {
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
