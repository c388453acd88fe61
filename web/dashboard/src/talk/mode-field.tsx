import { NativeSelect } from '@mantine/core'
import type { TalkMode } from './talk-state.js'

const modes: readonly { readonly value: TalkMode; readonly label: string }[] = [
  { value: 'automatic', label: 'Speak freely' },
  { value: 'push-to-talk', label: 'Hold a button to speak' },
  { value: 'text', label: 'Type only' },
]

export interface ModeFieldProps {
  readonly mode: TalkMode
  onChange(mode: TalkMode): void
  readonly disabled: boolean
}

/** How the user takes part in the next conversation. */
export const ModeField = ({ mode, onChange, disabled }: ModeFieldProps) => (
  <NativeSelect
    id="mode"
    label="Input"
    value={mode}
    disabled={disabled}
    onChange={({ currentTarget }) => onChange(currentTarget.value as TalkMode)}
    data={modes}
  />
)
