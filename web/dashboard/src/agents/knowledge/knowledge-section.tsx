import { Badge, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { BookOpen, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ConfirmButton } from '../../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../../shared/data-table.js'
import { Empty } from '../../shared/empty.js'
import { Loaded } from '../../shared/loaded.js'
import { Moment } from '../../shared/moment.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { formatBytes, formatCount } from '../../shared/quantities.js'
import { isIndexing, type KnowledgeFile, useAddFiles, useDeleteFile, useKnowledge } from './knowledge-queries.js'

const accepted = '.pdf,.html,.htm,.md,.markdown,.txt'

const looks = {
  indexing: { label: 'Indexing', color: 'blue' },
  ready: { label: 'Ready', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
} as const

const columns: readonly Column<KnowledgeFile>[] = [
  {
    header: 'File',
    cell: ({ name, error }) => (
      <>
        <RowTitle>{name}</RowTitle>
        {error !== null && (
          <Text size="xs" c="red">
            {error}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Status', cell: ({ status }) => <Badge color={looks[status].color}>{looks[status].label}</Badge> },
  {
    header: 'Size',
    cell: ({ size_bytes }) => <span style={{ whiteSpace: 'nowrap' }}>{formatBytes(size_bytes)}</span>,
    wideOnly: true,
  },
  { header: 'Passages', cell: ({ passages }) => formatCount(passages), wideOnly: true },
  { header: 'Added', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

const FileTable = ({ agentId, files }: { readonly agentId: string; readonly files: readonly KnowledgeFile[] }) => {
  const remove = useDeleteFile(agentId)
  return (
    <DataTable
      label="Files"
      rows={files}
      rowKey={({ id }) => id}
      columns={columns}
      actions={({ id, name }) => (
        <ConfirmButton
          {...rowButton}
          label="Delete"
          name={`Delete ${name}`}
          title="Delete the file?"
          confirm="Delete it"
          mutation={remove}
          variables={id}
        >
          The Agent no longer answers from “{name}”, in live conversations too. Records keep the passages that they
          quote.
        </ConfirmButton>
      )}
    />
  )
}

interface Uploading {
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
}

const UploadProgress = ({ name, share }: Uploading) => (
  <Stack gap={4} role="status">
    <Text>Uploading {name} …</Text>
    <Progress value={share * 100} aria-label={`Upload of ${name}`} />
  </Stack>
)

/** The files that the Agent answers from. They are added and deleted at once; the published Agent follows when it is published. */
export const KnowledgeSection = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const query = useKnowledge(agentId)
  const [uploading, setUploading] = useState<Uploading>()
  const add = useAddFiles(agentId, ({ name }, share) => setUploading({ name, share }))

  // The check of the draft warns of files that are being indexed.
  const client = useQueryClient()
  const isBusy = isIndexing(query.data)
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    if (wasBusy.current && !isBusy) void client.invalidateQueries({ queryKey: ['publish-check', agentId] })
    wasBusy.current = isBusy
  }, [isBusy, client, agentId])

  const addButton = (
    <FileButton accept={accepted} multiple onChange={(files) => files.length > 0 && add.mutate(files)}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<Upload />} loading={add.isPending}>
          Add files
        </Button>
      )}
    </FileButton>
  )
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text flex="1 1 300px">
          The Agent looks up each question in these files and answers from what it finds: PDF, HTML, Markdown and text
          of at most 20 MB. Publish the Agent after adding files.
        </Text>
        {query.data !== undefined && query.data.length > 0 && addButton}
      </Group>
      {add.isPending && uploading !== undefined && <UploadProgress {...uploading} />}
      <ProblemAlert error={add.error} />
      <Loaded
        query={query}
        empty={
          <Empty icon={BookOpen} title="No files yet" action={addButton}>
            Add a manual, a price list or answers to frequent questions. Records of conversations name the passages that
            were found.
          </Empty>
        }
      >
        {(files) => <FileTable agentId={agentId} files={files} />}
      </Loaded>
    </Stack>
  )
}
