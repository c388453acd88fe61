import { Checkbox, Code, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { eventNames } from './event-names.js'
import type { EventType, Webhook } from './webhook-queries.js'

export type WebhookFields = Pick<Webhook, 'url' | 'events' | 'description'>

/** What a form with `WebhookFieldset` contains. */
export const readWebhookFields = (form: HTMLFormElement): WebhookFields => {
  const fields = new FormData(form)
  return {
    url: String(fields.get('url')).trim(),
    description: String(fields.get('description')).trim(),
    events: fields.getAll('events') as EventType[],
  }
}

export interface WebhookFieldsetProps {
  readonly webhook: WebhookFields | undefined
  readonly urlError: string | undefined
  readonly descriptionError: string | undefined
}

/** The fields of a webhook, with what it has now. */
export const WebhookFieldset = ({ webhook, urlError, descriptionError }: WebhookFieldsetProps) => (
  <Stack>
    <TextInput
      name="url"
      error={urlError}
      type="url"
      label="Address"
      description="It receives a POST request for each event."
      placeholder="https://example.com/hooks"
      defaultValue={webhook?.url}
      required
      maxLength={2_048}
      autoComplete="off"
      data-autofocus
    />
    <TextInput
      name="description"
      error={descriptionError}
      label="Description"
      defaultValue={webhook?.description}
      maxLength={500}
      autoComplete="off"
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
                <Text size="sm">{eventNames[type]}</Text>
                <Code>{type}</Code>
              </Group>
            }
          />
        ))}
      </Stack>
    </Fieldset>
  </Stack>
)
