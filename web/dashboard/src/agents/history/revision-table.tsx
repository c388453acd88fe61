import { Badge, Button, Group } from '@mantine/core'
import { type Column, DataTable } from '../../shared/data-table.js'
import { Moment } from '../../shared/moment.js'
import { PagedList } from '../../shared/paged-list.js'
import type { Agent } from '../agent.js'
import { type Revision, useRevisions } from './history-queries.js'

export interface RevisionTableProps {
  readonly agent: Agent
  /** Called with the version of the revision that a person wants to publish. */
  onPublish(version: number): void
  /** Called with the version of the revision that a person wants to see beside the draft. */
  onCompare(version: number): void
}

/** Every saved state of the draft. */
export const RevisionTable = ({ agent, onPublish, onCompare }: RevisionTableProps) => {
  const published = agent.active_publication?.revision.version
  const draft = agent.draft_revision.version
  const columns: readonly Column<Revision>[] = [
    {
      header: 'Revision',
      cell: ({ version }) => (
        <Group gap="xs">
          Revision {version}
          {version === draft && <Badge color="gray">Draft</Badge>}
          {version === published && <Badge color="teal">Published</Badge>}
        </Group>
      ),
    },
    { header: 'Saved', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <PagedList
      query={useRevisions(agent.id)}
      itemsOf={(page) => page.revisions as Revision[]}
      empty={null}
      more="Show older ones"
    >
      {(revisions) => (
        <DataTable
          label="Revisions"
          rows={revisions}
          rowKey={({ id }) => id}
          columns={columns}
          isWhole
          actions={({ version }) => (
            <Group gap={4} justify="flex-end" wrap="nowrap">
              {version !== draft && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`Compare revision ${version} with the draft`}
                  onClick={() => onCompare(version)}
                >
                  Compare
                </Button>
              )}
              {version !== published && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`Publish revision ${version}`}
                  onClick={() => onPublish(version)}
                >
                  Publish
                </Button>
              )}
            </Group>
          )}
        />
      )}
    </PagedList>
  )
}
