import { Text } from '@mantine/core'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { namesOfCapabilities } from '../shared/capability-names.js'
import { CopyField } from '../shared/copy-field.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { formatCount } from '../shared/quantities.js'
import { FactList } from './fact-list.js'
import { InstallationSection } from './installation-section.js'
import { NameForm } from './name-form.js'
import { type Settings, useSettings } from './settings-queries.js'
import { SettingsSection } from './settings-section.js'

const limitOf = (limit: number): string => (limit === 0 ? 'No limit' : formatCount(limit))

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
