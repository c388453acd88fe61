import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Trash2 } from 'lucide-react'
import { api } from '../../api/api.js'
import { ConfirmDialog } from '../../shared/confirm-dialog.js'
import type { Agent } from '../agent.js'

/** Rarely used actions. */
export const AgentMenu = ({ agent }: { readonly agent: Agent }) => {
  const navigate = useNavigate()
  const remove = api.useMutation('delete', '/dashboard/api/v1/agents/{agentId}', {
    // There is nothing left to save.
    onSuccess: () => navigate({ to: '/agents', ignoreBlocker: true }),
  })
  const [isDeleting, dialog] = useDisclosure(false, { onClose: remove.reset })
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={36} aria-label="More">
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Trash2 />} onClick={dialog.open}>
            Delete the Agent
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete “${agent.display_name}”?`}
          label="Delete"
          mutation={remove}
          onClose={dialog.close}
          onConfirm={() => remove.mutate({ params: { path: { agentId: agent.id } } })}
        >
          No further conversation can begin; those that are live go on to their end. Past conversations and their
          recordings stay. A deleted Agent cannot be restored.
        </ConfirmDialog>
      )}
    </>
  )
}
