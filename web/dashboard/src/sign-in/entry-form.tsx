import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Form, type FormProps } from '../shared/form.js'

interface EntryPageProps {
  readonly title: string
  readonly children: ReactNode
}

const EntryPage = ({ title, children }: EntryPageProps) => (
  <Stack>
    <title>{`${title} · Parlance`}</title>
    <Title order={1} fz={22}>
      {title}
    </Title>
    {children}
  </Stack>
)

/** A page without a form, for people who are not signed in. */
export const EntryNotice = ({ title, children }: EntryPageProps) => (
  <EntryPage title={title}>
    <Text component="div">{children}</Text>
  </EntryPage>
)

interface EntryFormProps extends Pick<FormProps, 'onSubmit'> {
  readonly title: string
  readonly description?: ReactNode
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  readonly children?: FormProps['children']
  /** Below the form. */
  readonly footer?: ReactNode
}

/** The form of a page for people who are not signed in. */
export const EntryForm = ({ title, description, label, mutation, onSubmit, children, footer }: EntryFormProps) => (
  <EntryPage title={title}>
    {description !== undefined && <Text>{description}</Text>}
    <Form
      mutation={mutation}
      onSubmit={onSubmit}
      buttons={
        <Button type="submit" fullWidth loading={mutation.isPending}>
          {label}
        </Button>
      }
    >
      {children}
    </Form>
    {footer}
  </EntryPage>
)
