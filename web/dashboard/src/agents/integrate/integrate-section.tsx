import { Alert, Paper, Stack, Switch, Tabs, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../api/api.js'
import { keyVariable } from '../../keys/call-command.js'
import { CopyField } from '../../shared/copy-field.js'
import { PageAnchor } from '../../shared/links.js'
import { Loaded } from '../../shared/loaded.js'
import { useAgent } from '../agent-queries.js'
import { useAgentFormContext, useField } from '../editor/agent-form.js'
import { FieldGrid, NumberField } from '../editor/field-grid.js'
import { snippetsOf } from './snippets.js'

const maxOrigins = 50

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

const Part = ({ title, children }: PartProps) => {
  const id = useId()
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Title order={2} id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

const PublicFields = () => {
  const field = useField()
  const { enabled } = useAgentFormContext().getValues().session_config.public
  return (
    <Part title="Without a backend">
      <Switch {...field.checkbox('session_config.public.enabled')} />
      {enabled && (
        <>
          <TagsInput
            {...field.choice('session_config.public.origins')}
            maxTags={maxOrigins}
            acceptValueOnBlur
            splitChars={[',', ' ']}
          />
          <FieldGrid>
            <NumberField path="session_config.public.per_address_per_hour" />
            <TextInput {...field.choice('session_config.public.daily_credit')} inputMode="decimal" placeholder="1.00" />
          </FieldGrid>
        </>
      )}
    </Part>
  )
}

/** Code for this Agent at this address, in six languages. */
const Code = ({ agentId, version }: { readonly agentId: string; readonly version: string }) => {
  const { enabled: isPublic } = useAgentFormContext().getValues().session_config.public
  const [shown, setShown] = useState('tag')
  const snippets = Object.entries(snippetsOf({ agentId, origin: location.origin, version, isPublic }))
  return (
    <Tabs value={shown} onChange={(value) => setShown(value ?? 'tag')} variant="pills" keepMounted={false}>
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
            <Text size="sm">{description}</Text>
            {install !== undefined && <CopyField name={`the packages for ${title}`} value={install} />}
            <CopyField name={`the code for ${title}`} value={code} />
            {code.includes(keyVariable) && (
              <Text size="sm" c="dimmed">
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
  const settings = api.useQuery('get', '/dashboard/api/settings')
  return (
    <Stack gap="md">
      {agent?.api_ready === false && (
        <Alert icon={<Info />}>
          Pages can start conversations once the Agent is published with a variant of a voice.
        </Alert>
      )}
      <Part title="Code">
        <Loaded query={settings}>
          {({ installation }) => <Code agentId={agentId} version={installation.version} />}
        </Loaded>
      </Part>
      <PublicFields />
    </Stack>
  )
}
