import { Alert, Stack, Switch, Tabs, Text, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { useState } from 'react'
import { CopyField } from '../../shared/copy-field.js'
import { PageAnchor } from '../../shared/links.js'
import { Section } from '../../shared/section.js'
import { useAgent } from '../agent-queries.js'
import { useAgentFormContext, useField } from '../editor/agent-form.js'
import { FieldGrid, NumberField } from '../editor/field-grid.js'
import { ListField } from '../editor/list-field.js'
import { keyVariable, snippetsOf } from './snippets.js'

const PublicFields = () => {
  const field = useField()
  const { enabled } = useAgentFormContext().getValues().session_config.public
  return (
    <Section title="Without a backend" isFramed>
      <Switch {...field.checkbox('session_config.public.enabled')} />
      {enabled && (
        <>
          <ListField path="session_config.public.origins" />
          <FieldGrid>
            <NumberField path="session_config.public.per_address_per_hour" />
            <TextInput {...field.choice('session_config.public.daily_credit')} inputMode="decimal" placeholder="1.00" />
          </FieldGrid>
        </>
      )}
    </Section>
  )
}

/** Code for this Agent at this address, in six languages. */
const Code = ({ agentId }: { readonly agentId: string }) => {
  const { enabled: isPublic } = useAgentFormContext().getValues().session_config.public
  const [shown, setShown] = useState('tag')
  const snippets = Object.entries(snippetsOf({ agentId, origin: location.origin, isPublic }))
  return (
    <Tabs value={shown} onChange={(value) => setShown(value ?? 'tag')} variant="pills">
      <Tabs.List aria-label="Languages">
        {snippets.map(([name, { title }]) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(([name, { title, description, install, code }]) => (
        <Tabs.Panel key={name} value={name} pt="md">
          <Stack gap="sm">
            <Text>{description}</Text>
            {install !== undefined && <CopyField name={`the packages for ${title}`} value={install} />}
            <CopyField name={`the code for ${title}`} value={code} />
            {code.includes(keyVariable) && (
              <Text c="dimmed">
                {keyVariable} is an{' '}
                <PageAnchor to="/keys" inherit underline="always">
                  API key
                </PageAnchor>
                . Never put one into a page.
              </Text>
            )}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** How pages and programs of others reach the Agent: who may without a key, and the code. */
export const IntegrateSection = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const { data: agent } = useAgent(agentId)
  return (
    <Stack gap="md">
      {agent?.api_ready === false && (
        <Alert icon={<Info />}>
          Pages can start conversations once the Agent is published with a variant of a voice.
        </Alert>
      )}
      <Section title="Code" isFramed>
        <Code agentId={agentId} />
      </Section>
      <PublicFields />
    </Stack>
  )
}
