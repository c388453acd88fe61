import { Badge, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { api } from '../api/api.js'
import type { components } from '../api/schema.js'
import { isAtLeast } from '../session/roles.js'
import { useReloadSignedIn, useWorkspace } from '../session/signed-in.js'
import { namesOfCapabilities } from '../shared/capability-names.js'
import { CopyField } from '../shared/copy-field.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { FactList } from '../shared/fact-list.js'
import { PageForm } from '../shared/form.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { formatCount } from '../shared/quantities.js'

type Settings = components['schemas']['Settings']

const useSettings = () => api.useQuery('get', '/dashboard/api/settings')

/** The name of the workspace is on every page. */
const useRename = () => {
  const client = useQueryClient()
  const reloadSignedIn = useReloadSignedIn()
  return api.useMutation('patch', '/dashboard/api/settings', {
    onSuccess: async () => {
      await client.invalidateQueries(api.queryOptions('get', '/dashboard/api/settings'))
      await reloadSignedIn()
    },
  })
}

interface SettingsSectionProps {
  readonly title: string
  readonly description?: string
  readonly children: ReactNode
}

/** A part of the settings, with a title. */
const SettingsSection = ({ title, description, children }: SettingsSectionProps) => {
  const id = useId()
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Stack gap="md">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}

type Installation = Settings['installation']
type Engine = Installation['engines'][number]

const methods: Readonly<Record<Engine['synthesis'], string>> = {
  neural: 'Neural',
  recorded: 'From recordings',
  formant: 'By rules',
}

const columns: readonly Column<Engine>[] = [
  { header: 'Engine', cell: ({ name }) => name },
  { header: 'Speech', cell: ({ synthesis }) => methods[synthesis], wideOnly: true },
  { header: 'Voices', cell: ({ voices }) => `${formatCount(voices)} ${voices === 1 ? 'voice' : 'voices'}` },
  { header: 'Workers', cell: ({ workers }) => formatCount(workers), wideOnly: true },
]

const ServiceBadge = ({ name, up }: Installation['services'][number]) => (
  <Badge component="li" color={up ? 'teal' : 'red'} leftSection={up ? <Check size={12} /> : <X size={12} />}>
    {up ? name : `${name} does not answer`}
  </Badge>
)

/** The installation, which is the same for all workspaces. */
const InstallationSection = ({ installation }: { readonly installation: Installation }) => {
  const { version, key_environment, services, engines, recognizers } = installation
  return (
    <SettingsSection title="Environment" description="What runs at this address, for all workspaces.">
      <FactList
        facts={[
          ['Version', version],
          ['Environment', key_environment === 'prd' ? 'Production' : 'Development'],
          ['Recognizers', recognizers.length === 0 ? 'None' : recognizers.map(({ name }) => name).join(', ')],
        ]}
      />
      <Group component="ul" aria-label="Services" gap="xs" m={0} p={0}>
        {services.map((service) => (
          <ServiceBadge key={service.name} {...service} />
        ))}
      </Group>
      {engines.length === 0 ? (
        <Text size="sm">No speech engine offers voices now.</Text>
      ) : (
        <DataTable label="Speech engines" rows={engines} rowKey={({ name }) => name} columns={columns} />
      )}
    </SettingsSection>
  )
}

const limitOf = (limit: number): string => (limit === 0 ? 'No limit' : formatCount(limit))

/** The name of the workspace, which Owners and Admins change. */
const NameForm = ({ name }: { readonly name: string }) => {
  const rename = useRename()
  return (
    <PageForm
      label="Save"
      mutation={rename}
      onSubmit={({ name: typed = '' }) => rename.mutate({ body: { name: typed.trim() } })}
    >
      {(errorOf) => (
        <TextInput
          name="name"
          error={errorOf('name')}
          label="Name"
          defaultValue={name}
          maxLength={200}
          pattern=".*\S.*"
          required
          autoComplete="off"
          maw={480}
        />
      )}
    </PageForm>
  )
}

const WorkspaceSection = ({ settings }: { readonly settings: Settings }) => {
  const { role } = useWorkspace()
  const { id, name, created_at } = settings.workspace
  const facts = [['Created', <Moment key="created" at={created_at} />]] as const
  const mayRename = isAtLeast(role, 'admin')
  return (
    <SettingsSection title="Workspace">
      {mayRename && <NameForm name={name} />}
      <FactList facts={mayRename ? facts : [['Name', name], ...facts]} />
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Id
        </Text>
        <CopyField name="the id" value={id} />
      </div>
    </SettingsSection>
  )
}

export const SettingsPage = () => {
  const settings = useSettings()
  return (
    <Page title="Settings">
      <Loaded query={settings}>
        {(loaded) => (
          <>
            <WorkspaceSection settings={loaded} />
            <SettingsSection
              title="Capabilities and limits"
              description="The operator of this installation sets them. Ask the operator for more."
            >
              <FactList
                facts={[
                  ['Capabilities', namesOfCapabilities(loaded.workspace.capabilities)],
                  ['Conversations at once', limitOf(loaded.workspace.max_concurrent_sessions)],
                  ['Speech streams at once', limitOf(loaded.workspace.max_concurrent_streams)],
                  ['Requests per minute', limitOf(loaded.requests_per_minute)],
                ]}
              />
            </SettingsSection>
            <InstallationSection installation={loaded.installation} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
