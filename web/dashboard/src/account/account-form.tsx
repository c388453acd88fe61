import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../shared/problem-alert.js'

export interface AccountFormProps {
  /** The fragment of the URL that leads to the form. */
  readonly id?: string
  readonly title: string
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: unknown }
  /** Shown when it is done. */
  readonly done: string
  /** Called with the values of the fields, by their names. */
  onSubmit(values: Record<string, string>): void
  readonly children?: ReactNode
}

/** One thing to change about the account. */
export const AccountForm = ({ id, title, label, mutation, done, onSubmit, children }: AccountFormProps) => (
  <Paper
    id={id}
    // Leaves room for the fixed header.
    style={{ scrollMarginTop: 'calc(var(--app-shell-header-height) + var(--mantine-spacing-md))' }}
    withBorder
    p="lg"
    component="form"
    onSubmit={(event) => {
      event.preventDefault()
      const form = event.currentTarget as unknown as HTMLFormElement
      onSubmit(Object.fromEntries(new FormData(form)) as Record<string, string>)
    }}
  >
    <Stack gap="sm">
      <Title order={2}>{title}</Title>
      {children}
      <ProblemAlert error={mutation.error} />
      <Group justify="space-between">
        <Button type="submit" variant="default" loading={mutation.isPending}>
          {label}
        </Button>
        <Text size="sm" role="status">
          {mutation.isSuccess ? done : ''}
        </Text>
      </Group>
    </Stack>
  </Paper>
)
