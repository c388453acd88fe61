import { ActionIcon, NativeSelect } from '@mantine/core'
import { Play, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { usePreview } from '../voices/use-preview.js'
import { type VoiceChoice, voiceGroups } from '../voices/voice-choice.js'
import type { Voice } from '../voices/voice-queries.js'
import classes from './speech-panel.module.css'

interface VoiceFieldsProps {
  readonly voices: readonly Voice[]
  readonly choice: VoiceChoice
  readonly preview: ReturnType<typeof usePreview>
  /** Beside the label of the voice. */
  readonly offer?: ReactNode
  onChange(voice: Voice, variant: string): void
}

/** The choice of a voice and one of its variants, its price, and a preview. */
export const VoiceFields = ({ voices, choice, preview, offer, onChange }: VoiceFieldsProps) => {
  const voice = voices.find(({ id }) => id === choice.voiceId)!
  const variant = voice.variants.find(({ id }) => id === choice.variant)
  const isPlaying = preview.isPlaying(choice)
  return (
    <div className={classes.choices}>
      <div className={classes.voice}>
        <NativeSelect
          id="voice"
          label="Voice"
          value={choice.voiceId}
          data={voiceGroups(voices)}
          onChange={({ currentTarget }) => {
            const chosen = voices.find(({ id }) => id === currentTarget.value)!
            onChange(chosen, chosen.variants[0]!.id)
          }}
        />
        {offer}
        <ActionIcon
          size={36}
          aria-label={isPlaying ? 'Stop the preview' : 'Play a preview'}
          title="A preview costs no credit."
          loading={preview.isLoading(choice)}
          onClick={() => preview.toggle(choice)}
        >
          {isPlaying ? <Square /> : <Play />}
        </ActionIcon>
      </div>
      <NativeSelect
        id="variant"
        label="Variant"
        description={variant && `${variant.credit_per_1k_characters} credit per 1,000 characters`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={choice.variant}
        data={voice.variants.map(({ id, display_name }) => ({ value: id, label: display_name }))}
        onChange={({ currentTarget }) => onChange(voice, currentTarget.value)}
      />
    </div>
  )
}
