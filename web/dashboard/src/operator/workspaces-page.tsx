import { useDebouncedValue } from '@mantine/hooks'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../shared/empty.js'
import { SearchInput } from '../shared/filter-fields.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { useWorkspaces } from './workspace-queries.js'
import { WorkspaceTable } from './workspace-table.js'

const typingPauseMs = 250

export const WorkspacesPage = () => {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingPauseMs)
  return (
    <Page
      title="Workspaces"
      description="All workspaces of this installation. Their audit logs record what you change."
    >
      <SearchInput
        label="Search for workspaces"
        placeholder="Name or id"
        maxLength={200}
        value={text}
        onChange={setText}
      />
      <PagedList
        list={useWorkspaces(search)}
        empty={
          <Empty icon={Building2} title={search === '' ? 'No workspace yet' : 'No workspace matches'}>
            {search === '' ? 'Make one: npx parlance workspace create.' : 'Search for a part of the name, or the id.'}
          </Empty>
        }
        more="Show more"
      >
        {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
      </PagedList>
    </Page>
  )
}
