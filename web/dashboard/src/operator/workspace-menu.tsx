import { ActionIcon, Menu } from '@mantine/core'
import { Blocks, CirclePause, CirclePlay, Coins, Ellipsis, Gauge } from 'lucide-react'
import { useState } from 'react'
import { CapabilitiesDialog, GrantDialog, LimitsDialog, SuspendDialog } from './workspace-dialogs.js'
import type { OperatedWorkspace } from './workspace-queries.js'

const dialogs = {
  grant: GrantDialog,
  limits: LimitsDialog,
  capabilities: CapabilitiesDialog,
  suspend: SuspendDialog,
} as const

/** What an operator does with a workspace. */
export const WorkspaceMenu = ({ workspace }: { readonly workspace: OperatedWorkspace }) => {
  const [opened, setOpened] = useState<keyof typeof dialogs>()
  const Dialog = opened && dialogs[opened]
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={32} aria-label={`Change ${workspace.name}`}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Coins />} onClick={() => setOpened('grant')}>
            Grant credit
          </Menu.Item>
          <Menu.Item leftSection={<Gauge />} onClick={() => setOpened('limits')}>
            Change the limits
          </Menu.Item>
          <Menu.Item leftSection={<Blocks />} onClick={() => setOpened('capabilities')}>
            Change the capabilities
          </Menu.Item>
          <Menu.Item
            leftSection={workspace.suspended ? <CirclePlay /> : <CirclePause />}
            onClick={() => setOpened('suspend')}
          >
            {workspace.suspended ? 'Resume' : 'Suspend'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Dialog && <Dialog workspace={workspace} onClose={() => setOpened(undefined)} />}
    </>
  )
}
