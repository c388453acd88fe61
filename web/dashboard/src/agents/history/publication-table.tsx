import { Badge, Button, Stack } from '@mantine/core'
import { Rocket } from 'lucide-react'
import { type Column, DataTable } from '../../shared/data-table.js'
import { Empty } from '../../shared/empty.js'
import { Loaded } from '../../shared/loaded.js'
import { Moment } from '../../shared/moment.js'
import { MoreButton } from '../../shared/more-button.js'
import type { Agent, Publication } from '../agent.js'
import { usePublications } from './history-queries.js'

export interface PublicationTableProps {
  readonly agent: Agent
  /** Called with the version of the revision that a person wants to publish. */
  onPublish(version: number): void
}

/** The publications with their times, each with a button to roll back. */
export const PublicationTable = ({ agent, onPublish }: PublicationTableProps) => {
  const list = usePublications(agent.id)
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
    <Loaded query={list}>
      {({ pages }) => {
        const publications = pages.flatMap((page) => page.publications)
        if (publications.length === 0) return <Empty icon={Rocket} title="Not published yet" />
        return (
          <Stack>
            <DataTable
              label="Publications"
              rows={publications}
              rowKey={({ id }) => id}
              columns={columns}
              isWhole
              actions={({ version, revision }) =>
                revision.version !== standing?.revision.version && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`Roll back to publication ${version}`}
                    onClick={() => onPublish(revision.version)}
                  >
                    Roll back
                  </Button>
                )
              }
            />
            <MoreButton list={list} label="Show older ones" />
          </Stack>
        )
      }}
    </Loaded>
  )
}
