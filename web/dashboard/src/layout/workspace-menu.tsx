import { Button, Menu, Text } from '@mantine/core'
import { Check, ChevronsUpDown } from 'lucide-react'
import { switchWorkspace } from '../session/current-workspace.js'
import { roleNames } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'

/** The workspace in which the person acts, and the choice of another one. */
export const WorkspaceMenu = () => {
  const { workspaces } = useSignedIn()
  const current = useWorkspace()
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          flex="none"
          justify="space-between"
          rightSection={<ChevronsUpDown />}
          aria-label={`Workspace: ${current.name}`}
        >
          <Text span inherit truncate>
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => switchWorkspace(id)}
            rightSection={id === current.id ? <Check aria-label="chosen" /> : null}
          >
            <Text lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {roleNames[role]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
