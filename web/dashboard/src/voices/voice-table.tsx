import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { Play, Square } from 'lucide-react'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { usePreview } from './use-preview.js'
import { languageName } from './voice-languages.js'
import type { Voice } from './voice-queries.js'

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} tt="none" size="sm" miw="max-content" variant="light" color={tag === 'slow' ? 'orange' : 'gray'}>
        {tag}
      </Badge>
    ))}
  </Group>
)

const columns: readonly Column<Voice>[] = [
  {
    header: 'Voice',
    cell: ({ display_name, description, tags }) => (
      <Stack gap={2}>
        <Text size="sm" fw={550}>
          <bdi>{display_name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          <bdi>{description}</bdi>
        </Text>
        <Tags tags={tags} />
      </Stack>
    ),
  },
  {
    header: 'Languages',
    cell: ({ languages }) => <Text size="sm">{languages.map(languageName).join(', ')}</Text>,
  },
  {
    header: 'Variants, and credit for 1,000 characters',
    cell: ({ variants }) =>
      variants.map(({ id, display_name, credit_per_1k_characters }) => (
        <Text key={id} size="sm">
          {display_name}: {formatCredit(credit_per_1k_characters)}
        </Text>
      )),
    wideOnly: true,
  },
  { header: 'Licence', cell: ({ license }) => <Text size="xs">{license}</Text>, wideOnly: true },
]

/** Voices, each with a preview of its first variant. */
export const VoiceTable = ({ voices }: { readonly voices: readonly Voice[] }) => {
  const preview = usePreview()
  return (
    <Stack gap="sm">
      <ProblemAlert error={preview.error} />
      <DataTable
        label="Voices"
        rows={voices}
        rowKey={({ id }) => id}
        columns={columns}
        actions={({ id, display_name, variants }) => {
          const choice = { voiceId: id, variant: variants[0]!.id }
          const isPlaying = preview.isPlaying(choice)
          return (
            <Button
              size="compact-sm"
              variant="light"
              loading={preview.isLoading(choice)}
              leftSection={isPlaying ? <Square aria-hidden size={14} /> : <Play aria-hidden size={14} />}
              aria-label={`${isPlaying ? 'Stop' : 'Play'} ${display_name}`}
              onClick={() => (isPlaying ? preview.stop() : preview.play(choice))}
            >
              {isPlaying ? 'Stop' : 'Play'}
            </Button>
          )
        }}
      />
    </Stack>
  )
}
