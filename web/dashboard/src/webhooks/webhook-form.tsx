import { Checkbox, Code, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogForm } from '../shared/form.js'
import { eventNames } from './event-names.js'
import type { EventType, Webhook } from './webhook-queries.js'

type WebhookFields = Pick<Webhook, 'url' | 'events' | 'description'>

const readFields = (form: HTMLFormElement): WebhookFields => {
  const fields = new FormData(form)
  return {
    url: String(fields.get('url')).trim(),
    description: String(fields.get('description')).trim(),
    events: fields.getAll('events') as EventType[],
  }
}

interface WebhookFormProps {
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
        const fields = readFields(form)
        setLacksEvent(fields.events.length === 0)
        if (fields.events.length > 0) onSubmit(fields)
      }}
      onCancel={onCancel}
    >
      {(field) => (
        <>
          <TextInput
            {...field('url')}
            type="url"
            label="Address"
            description="It receives a POST request for each event."
            placeholder="https://example.com/hooks"
            defaultValue={webhook?.url}
            required
            maxLength={2_048}
            data-autofocus
          />
          <TextInput
            {...field('description')}
            label="Description"
            defaultValue={webhook?.description}
            maxLength={500}
          />
          <Fieldset legend="Events">
            <Stack gap="xs">
              {(Object.keys(eventNames) as EventType[]).map((type) => (
                <Checkbox
                  key={type}
                  name="events"
                  value={type}
                  defaultChecked={webhook?.events.includes(type) ?? false}
                  label={
                    <Group gap="xs">
                      <Text>{eventNames[type]}</Text>
                      <Code>{type}</Code>
                    </Group>
                  }
                />
              ))}
            </Stack>
          </Fieldset>
        </>
      )}
    </DialogForm>
  )
}
