import { Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormActions } from '../shared/form-actions.js'
import { readWebhookFields, type WebhookFields, WebhookFieldset } from './webhook-fields.js'

export interface WebhookFormProps {
  readonly webhook?: WebhookFields
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onSubmit(fields: WebhookFields): void
  onCancel(): void
}

const noEvent = { code: 'invalid_request', detail: 'Choose at least one event.' }

/** Asks for the address, the description and the events of a webhook. */
export const WebhookForm = ({ webhook, label, mutation, onSubmit, onCancel }: WebhookFormProps) => {
  const [lacksEvent, setLacksEvent] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = readWebhookFields(event.currentTarget)
    setLacksEvent(fields.events.length === 0)
    if (fields.events.length > 0) onSubmit(fields)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <WebhookFieldset webhook={webhook} />
        <FormActions
          label={label}
          mutation={{ ...mutation, error: lacksEvent ? noEvent : mutation.error }}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}
