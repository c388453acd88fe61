import { Badge } from '@mantine/core'
import { Rocket } from 'lucide-react'
import { type Column, DataTable } from '../../shared/data-table.js'
import { Empty } from '../../shared/empty.js'
import { Moment } from '../../shared/moment.js'
import { PagedList } from '../../shared/paged-list.js'
import type { Agent, Publication } from '../agent.js'
import { usePublications } from './history-queries.js'
import { PublishRevisionButton } from './publish-revision.js'

/** The publications with their times, each with a button to roll back. */
export const PublicationTable = ({ agent }: { readonly agent: Agent }) => {
  const standing = agent.active_publication
  const columns: readonly Column<Publication>[] = [
    {
      header: 'Publication',
      cell: ({ id, version }) => (
        <>
          Publication {version}
          {id === standing?.id && (
            <Badge ml="xs" color="teal">
              Active
            </Badge>
          )}
        </>
      ),
    },
    { header: 'Revision', cell: ({ revision }) => `Revision ${revision.version}` },
    { header: 'Published', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <PagedList
      list={usePublications(agent.id)}
      empty={<Empty icon={Rocket} title="Not published yet" />}
      more="Show older ones"
    >
      {(publications) => (
        <DataTable
          label="Publications"
          rows={publications}
          rowKey={({ id }) => id}
          columns={columns}
          isWhole
          actions={({ version, revision }) =>
            revision.version !== standing?.revision.version && (
              <PublishRevisionButton
                label="Roll back"
                name={`Roll back to publication ${version}`}
                agent={agent}
                version={revision.version}
              />
            )
          }
        />
      )}
    </PagedList>
  )
}
