import { useState } from 'react'
import { DialogForm } from '../shared/dialog-form.js'
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
  return (
    <DialogForm
      label={label}
      mutation={{ ...mutation, error: lacksEvent ? noEvent : mutation.error }}
      onSubmit={(_, form) => {
        const fields = readWebhookFields(form)
        setLacksEvent(fields.events.length === 0)
        if (fields.events.length > 0) onSubmit(fields)
      }}
      onCancel={onCancel}
    >
      {(errorOf) => (
        <WebhookFieldset webhook={webhook} urlError={errorOf('url')} descriptionError={errorOf('description')} />
      )}
    </DialogForm>
  )
}
