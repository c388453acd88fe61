import { ActionIcon, Badge, Box, Button, Group, Popover, Stack, Text } from '@mantine/core'
import { Play, Scale, Square } from 'lucide-react'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { shortLanguageName } from '../shared/languages.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { usePreview } from './use-preview.js'
import type { Voice } from './voice-queries.js'

const maxNamed = 2

/** Such as "UK English, French, and 3 more", with the others where the pointer rests. */
const Languages = ({ languages }: Pick<Voice, 'languages'>) => {
  const names = languages.map(shortLanguageName)
  const more = names.length - maxNamed
  return (
    <span title={names.join(', ')}>
      {more > 1 ? `${names.slice(0, maxNamed).join(', ')}, and ${more} more` : names.join(', ')}
    </span>
  )
}

const columns: readonly Column<Voice>[] = [
  {
    header: 'Voice',
    cell: ({ display_name, description, tags, languages }) => (
      <Box maw={{ base: '56vw', sm: 420 }}>
        <Group gap={6} wrap="nowrap">
          <Text fw={550} truncate>
            <bdi>{display_name}</bdi>
          </Text>
          {tags.map((tag) => (
            <Badge key={tag} size="sm" color={tag === 'slow' ? 'orange' : 'gray'}>
              {tag}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed" truncate title={description} visibleFrom="sm">
          <bdi>{description}</bdi>
        </Text>
        <Text size="xs" c="dimmed" truncate hiddenFrom="sm">
          <Languages languages={languages} />
        </Text>
      </Box>
    ),
  },
  { header: 'Languages', cell: ({ languages }) => <Languages languages={languages} />, wideOnly: true },
  {
    header: 'Credit for 1,000 characters',
    cell: ({ variants }) => (
      <span title={variants.map(({ display_name: name }) => name).join(', ')}>
        {[...new Set(variants.map(({ credit_per_1k_characters }) => formatCredit(credit_per_1k_characters)))].join(
          ', ',
        )}
      </span>
    ),
    wideOnly: true,
  },
]

const License = ({ voice: { display_name, license } }: { readonly voice: Voice }) => (
  <Popover position="bottom-end" width={300}>
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={`License of ${display_name}`}>
        <Scale />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown>
      <Text>{license}</Text>
    </Popover.Dropdown>
  </Popover>
)

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
        actions={(voice) => {
          const { id, display_name, variants } = voice
          const choice = { voiceId: id, variant: variants[0]!.id }
          const isPlaying = preview.isPlaying(choice)
          return (
            <Group gap="xs" wrap="nowrap" justify="flex-end">
              <License voice={voice} />
              <Button
                size="compact-sm"
                variant="light"
                loading={preview.isLoading(choice)}
                leftSection={isPlaying ? <Square size={14} /> : <Play size={14} />}
                aria-label={`${isPlaying ? 'Stop' : 'Play'} ${display_name}`}
                onClick={() => preview.toggle(choice)}
              >
                {isPlaying ? 'Stop' : 'Play'}
              </Button>
            </Group>
          )
        }}
      />
    </Stack>
  )
}
