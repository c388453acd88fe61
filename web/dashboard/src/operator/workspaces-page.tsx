import { Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Building2, Search } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { MoreButton } from '../shared/more-button.js'
import { Page } from '../shared/page.js'
import { useWorkspaces } from './workspace-queries.js'
import { WorkspaceTable } from './workspace-table.js'

const typingPauseMs = 250

export const WorkspacesPage = () => {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingPauseMs)
  const workspaces = useWorkspaces(search)
  return (
    <Page
      title="Workspaces"
      description="All workspaces of this installation. Their audit logs record what you change."
    >
      <TextInput
        type="search"
        aria-label="Search for workspaces"
        placeholder="Name or id"
        leftSection={<Search />}
        maxLength={200}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        maw={360}
      />
      <Loaded query={workspaces}>
        {({ pages }) => {
          const found = pages.flatMap((page) => page.workspaces)
          return found.length === 0 ? (
            <Empty icon={Building2} title={search === '' ? 'No workspace yet' : 'No workspace matches'}>
              {search === '' ? 'Make one: npx parlance workspace create.' : 'Search for a part of the name, or the id.'}
            </Empty>
          ) : (
            <Stack>
              <WorkspaceTable workspaces={found} />
              <MoreButton list={workspaces} label="Show more" />
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}
