import { Badge, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { BookOpen, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '../../shared/confirm-dialog.js'
import { type Column, DataTable } from '../../shared/data-table.js'
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
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
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
  const [chosen, setChosen] = useState<KnowledgeFile>()
  const remove = useDeleteFile(agentId)
  const close = () => {
    setChosen(undefined)
    remove.reset()
  }
  return (
    <>
      <DataTable
        label="Files"
        rows={files}
        rowKey={({ id }) => id}
        columns={columns}
        actions={(file) => (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`Delete ${file.name}`}
            onClick={() => setChosen(file)}
          >
            Delete
          </Button>
        )}
      />
      <ConfirmDialog
        opened={chosen !== undefined}
        title="Delete the file?"
        label="Delete it"
        mutation={remove}
        onClose={close}
        onConfirm={() => remove.mutate(chosen!.id, { onSuccess: close })}
      >
        The Agent no longer answers from “{chosen?.name}”, in live conversations too. Records keep the passages that
        they quote.
      </ConfirmDialog>
    </>
  )
}

interface Uploading {
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
}

const UploadProgress = ({ name, share }: Uploading) => (
  <Stack gap={4} role="status">
    <Text size="sm">Uploading {name} …</Text>
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
        <Text size="sm" flex="1 1 300px">
          The Agent looks up each question in these files and answers from what it finds: PDF, HTML, Markdown and text
          of at most 20 MB. Publish the Agent after adding files.
        </Text>
        {query.data !== undefined && query.data.length > 0 && addButton}
      </Group>
      {add.isPending && uploading !== undefined && <UploadProgress {...uploading} />}
      <ProblemAlert error={add.error} />
      <Loaded query={query}>
        {(files) =>
          files.length === 0 ? (
            <Empty icon={BookOpen} title="No files yet" action={addButton}>
              Add a manual, a price list or answers to frequent questions. Records of conversations name the passages
              that were found.
            </Empty>
          ) : (
            <FileTable agentId={agentId} files={files} />
          )
        }
      </Loaded>
    </Stack>
  )
}
