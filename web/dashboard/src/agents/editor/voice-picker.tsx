import { ActionIcon, Group, Input, Radio, ScrollArea, Select, Stack, Text, TextInput } from '@mantine/core'
import { Play, Square } from 'lucide-react'
import { shortLanguageName } from '../../shared/languages.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { usePreview } from '../../voices/use-preview.js'
import { useVoiceFilter } from '../../voices/use-voice-filter.js'
import type { Voice } from '../../voices/voice-queries.js'
import { fields } from '../fields.js'
import classes from './voice-picker.module.css'

interface VoicePickerProps {
  readonly voices: readonly Voice[]
  readonly chosenId: string
  /** Why the choice is refused. */
  readonly error: unknown
  onChange(voice: Voice): void
}

const describe = ({ languages, gender, tags, status }: Voice): string =>
  [...languages.map(shortLanguageName), gender, ...tags, ...(status === 'available' ? [] : ['not available now'])].join(
    ', ',
  )

/** The voices, by name and language, each with a preview of its first variant. */
export const VoicePicker = ({ voices, chosenId, error, onChange }: VoicePickerProps) => {
  const chosen = voices.find(({ id }) => id === chosenId)
  const { matching, textField, languageField } = useVoiceFilter(voices)
  const preview = usePreview()
  return (
    <Stack gap="xs">
      <Text>
        <Text span inherit fw={550}>
          {fields.voice_id.label}:
        </Text>{' '}
        <Text span inherit dir="auto">
          {chosen?.display_name ?? 'none of these'}
        </Text>
      </Text>
      <Group grow gap="xs">
        <TextInput type="search" aria-label="Search for voices" placeholder="Name or tag" size="xs" {...textField} />
        <Select aria-label="Language of the voices" placeholder="All languages" size="xs" {...languageField} />
      </Group>
      <ScrollArea.Autosize mah={280} type="auto" className={classes.list}>
        <Radio.Group
          aria-label={fields.voice_id.label}
          value={chosenId}
          onChange={(id) => {
            const voice = voices.find((found) => found.id === id)
            if (voice !== undefined) onChange(voice)
          }}
        >
          {matching.map((voice) => (
            <Group key={voice.id} className={classes.voice} wrap="nowrap" gap="sm">
              <Radio
                className={classes.radio}
                value={voice.id}
                label={voice.display_name}
                description={describe(voice)}
              />
              <PreviewButton voice={voice} preview={preview} />
            </Group>
          ))}
          {matching.length === 0 && (
            <Text c="dimmed" className={classes.voice}>
              No voice matches.
            </Text>
          )}
        </Radio.Group>
      </ScrollArea.Autosize>
      {error !== undefined && error !== null && <Input.Error>{String(error)}</Input.Error>}
      <ProblemAlert error={preview.error} />
    </Stack>
  )
}

interface PreviewButtonProps {
  readonly voice: Voice
  readonly preview: ReturnType<typeof usePreview>
}

const PreviewButton = ({ voice: { id, display_name, status, variants }, preview }: PreviewButtonProps) => {
  const [variant] = variants
  if (variant === undefined || status !== 'available') return null
  const choice = { voiceId: id, variant: variant.id }
  const isPlaying = preview.isPlaying(choice)
  return (
    <ActionIcon
      size="lg"
      aria-label={`${isPlaying ? 'Stop' : 'Play'} ${display_name}`}
      loading={preview.isLoading(choice)}
      onClick={() => preview.toggle(choice)}
    >
      {isPlaying ? <Square /> : <Play />}
    </ActionIcon>
  )
}
