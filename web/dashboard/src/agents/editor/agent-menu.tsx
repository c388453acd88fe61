import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Trash2 } from 'lucide-react'
import { fetchApi } from '../../api/api.js'
import { ConfirmDialog } from '../../shared/confirm-dialog.js'
import type { Agent } from '../agent.js'
import { useReloadAgentList } from '../agent-queries.js'

/** Rarely used actions. */
export const AgentMenu = ({ agent }: { readonly agent: Agent }) => {
  const navigate = useNavigate()
  const reloadList = useReloadAgentList()
  const remove = useMutation({
    mutationFn: () =>
      fetchApi.DELETE('/dashboard/api/v1/agents/{agentId}', { params: { path: { agentId: agent.id } } }),
    async onSuccess() {
      await reloadList()
      // There is nothing left to save.
      await navigate({ to: '/agents', ignoreBlocker: true })
    },
  })
  const [isDeleting, dialog] = useDisclosure(false, { onClose: remove.reset })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More">
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Trash2 />} onClick={dialog.open}>
            Delete the Agent
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isDeleting}
        title={`Delete “${agent.display_name}”?`}
        label="Delete"
        mutation={remove}
        onClose={dialog.close}
        onConfirm={() => remove.mutate()}
      >
        No further conversation can begin; those that are live go on to their end. Past conversations and their
        recordings stay. A deleted Agent cannot be restored.
      </ConfirmDialog>
    </>
  )
}
