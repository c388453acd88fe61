import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../shared/problem-alert.js'

export interface EntryFormProps {
  readonly title: string
  readonly description?: ReactNode
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  /** Called with the values of the fields, by their names. */
  onSubmit(values: Record<string, string>): void
  readonly children?: ReactNode
  /** Below the button. */
  readonly footer?: ReactNode
}

/** The form of a page for people who are not signed in. */
export const EntryForm = (props: EntryFormProps) => {
  const { title, description, label, mutation, onSubmit, children, footer } = props
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
      }}
    >
      <title>{`${title} · Parlance`}</title>
      <Stack>
        <Title order={1} fz={22}>
          {title}
        </Title>
        {description !== undefined && (
          <Text size="sm" component="div">
            {description}
          </Text>
        )}
        {children}
        <ProblemAlert error={mutation.error} />
        <Button type="submit" fullWidth loading={mutation.isPending}>
          {label}
        </Button>
        {footer}
      </Stack>
    </form>
  )
}
