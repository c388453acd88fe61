import { ActionIcon, Button, Kbd } from '@mantine/core'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, BookOpen, Bot, CircleUser, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { useAgentNames } from '../agents/agent-names.js'
import { switchWorkspace } from '../session/current-workspace.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { usePermittedPages } from './navigation.js'

const placeholder = 'Find a page, an Agent or an action'
/** The maximum number of results; typing finds the others. */
const maxShown = 30

/** What can be found, in groups. The Agents are loaded when the search is opened. */
const useFindable = (isOpened: boolean): SpotlightActionGroupData[] => {
  const navigate = useNavigate()
  const { workspaces } = useSignedIn()
  const { id: currentId, capabilities } = useWorkspace()
  const { data: agents = [] } = useAgentNames({ enabled: isOpened })
  const pages = usePermittedPages().flatMap(({ entries }): SpotlightActionData[] =>
    entries.map(({ to, label, icon: Icon }) => ({
      ...{ id: to, label, leftSection: <Icon /> },
      onClick: () => navigate({ to }),
    })),
  )
  const account = {
    id: '/account',
    label: 'Account',
    leftSection: <CircleUser />,
    onClick: () => navigate({ to: '/account' }),
  }
  const reference = {
    id: '/docs/',
    label: 'Documentation',
    leftSection: <BookOpen />,
    onClick: () => location.assign('/docs/'),
  }
  const newAgent = {
    id: '/agents/new',
    label: 'Create an Agent',
    leftSection: <Plus />,
    onClick: () => navigate({ to: '/agents/new' }),
  }
  const switches = workspaces
    .filter(({ id }) => id !== currentId)
    .map(({ id, name }) => ({
      ...{ id, label: `Switch to ${name}`, leftSection: <ArrowLeftRight /> },
      onClick: () => switchWorkspace(id),
    }))
  return [
    { group: 'Pages', actions: [...pages, account, reference] },
    { group: 'Actions', actions: [...(capabilities.includes('agents') ? [newAgent] : []), ...switches] },
    {
      group: 'Agents',
      actions: agents.map(({ id, name }) => ({
        ...{ id, label: name, leftSection: <Bot /> },
        onClick: () => navigate({ to: '/agents/$agentId', params: { agentId: id } }),
      })),
    },
  ]
}

/** Finds by a part of the name. Opened by Ctrl-K, or by its button. */
export const PageSearch = () => {
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<Search />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={spotlight.open}
      >
        Find
      </Button>
      <ActionIcon size="lg" hiddenFrom="sm" aria-label="Find" onClick={spotlight.open}>
        <Search size={20} />
      </ActionIcon>
      <Spotlight
        actions={useFindable(isOpened)}
        limit={maxShown}
        shortcut="mod + K"
        nothingFound="Nothing has this name."
        highlightQuery
        scrollable
        maxHeight={400}
        attributes={{ content: { 'aria-label': placeholder } }}
        searchProps={{ placeholder, 'aria-label': placeholder, leftSection: <Search /> }}
        onSpotlightOpen={() => setOpened(true)}
      />
    </>
  )
}
