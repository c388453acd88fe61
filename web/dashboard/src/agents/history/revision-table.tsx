import { Badge, Group } from '@mantine/core'
import { type Column, DataTable, rowButton } from '../../shared/data-table.js'
import { Dialog, DialogButton } from '../../shared/dialog.js'
import { Loaded } from '../../shared/loaded.js'
import { Moment } from '../../shared/moment.js'
import { PagedList } from '../../shared/paged-list.js'
import type { Agent } from '../agent.js'
import { DifferenceList } from '../difference/difference-list.js'
import { type Revision, useRevision, useRevisions } from './history-queries.js'
import { PublishRevisionButton } from './publish-revision.js'

interface CompareDialogProps {
  readonly agent: Agent
  readonly version: number
  onClose(): void
}

/** What changed from an older revision to the draft. */
const CompareDialog = ({ agent, version, onClose }: CompareDialogProps) => {
  const revision = useRevision(agent.id, version)
  return (
    <Dialog title={`From revision ${version} to the draft`} size="lg" onClose={onClose}>
      <Loaded query={revision}>{({ config }) => <DifferenceList before={config} after={agent} />}</Loaded>
    </Dialog>
  )
}

/** Every saved state of the draft. */
export const RevisionTable = ({ agent }: { readonly agent: Agent }) => {
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
    <PagedList list={useRevisions(agent.id)} empty={null} more="Show older ones">
      {(revisions) => (
        <DataTable
          label="Revisions"
          rows={revisions}
          rowKey={({ id }) => id}
          columns={columns}
          isWhole
          actions={({ version }) => (
            <>
              {version !== draft && (
                <DialogButton {...rowButton} label="Compare" name={`Compare revision ${version} with the draft`}>
                  {(close) => <CompareDialog agent={agent} version={version} onClose={close} />}
                </DialogButton>
              )}
              {version !== published && (
                <PublishRevisionButton
                  label="Publish"
                  name={`Publish revision ${version}`}
                  agent={agent}
                  version={version}
                />
              )}
            </>
          )}
        />
      )}
    </PagedList>
  )
}
