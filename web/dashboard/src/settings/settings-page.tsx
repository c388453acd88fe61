import { Badge, Group, Text, TextInput } from '@mantine/core'
import { Check, X } from 'lucide-react'
import { api, useReload } from '../api/api.js'
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
import { Section } from '../shared/section.js'

type Settings = components['schemas']['Settings']

const path = '/dashboard/api/settings'

/** The name of the workspace is on every page. */
const useRename = () => {
  const reload = useReload(path)
  const reloadSignedIn = useReloadSignedIn()
  return api.useMutation('patch', path, { onSuccess: () => Promise.all([reload(), reloadSignedIn()]) })
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
    <Section title="Environment" description="What runs at this address, for all workspaces." isFramed>
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
        <Text>No speech engine offers voices now.</Text>
      ) : (
        <DataTable label="Speech engines" rows={engines} rowKey={({ name }) => name} columns={columns} />
      )}
    </Section>
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
      {(field) => (
        <TextInput
          {...field('name')}
          label="Name"
          defaultValue={name}
          maxLength={200}
          pattern=".*\S.*"
          required
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
    <Section title="Workspace" isFramed>
      {mayRename && <NameForm name={name} />}
      <FactList facts={mayRename ? facts : [['Name', name], ...facts]} />
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Id
        </Text>
        <CopyField name="the id" value={id} />
      </div>
    </Section>
  )
}

export const SettingsPage = () => {
  const settings = api.useQuery('get', path)
  return (
    <Page title="Settings">
      <Loaded query={settings}>
        {(loaded) => (
          <>
            <WorkspaceSection settings={loaded} />
            <Section
              title="Capabilities and limits"
              description="The operator of this installation sets them. Ask the operator for more."
              isFramed
            >
              <FactList
                facts={[
                  ['Capabilities', namesOfCapabilities(loaded.workspace.capabilities)],
                  ['Conversations at once', limitOf(loaded.workspace.max_concurrent_sessions)],
                  ['Speech streams at once', limitOf(loaded.workspace.max_concurrent_streams)],
                  ['Requests per minute', limitOf(loaded.requests_per_minute)],
                ]}
              />
            </Section>
            <InstallationSection installation={loaded.installation} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
