import { ActionIcon, NativeSelect, Popover, Slider, Stack, Text } from '@mantine/core'
import type { AudioDevice, ParlanceClient } from '@parlance/client'
import { Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { TalkPhase } from './talk-state.js'

/** The devices that the browser names now. It names none until the user has allowed the microphone. */
const useDevices = (client: ParlanceClient, phase: TalkPhase): readonly AudioDevice[] => {
  const [devices, setDevices] = useState<readonly AudioDevice[]>([])
  useEffect(() => {
    let isGone = false
    const list = () =>
      void client.listDevices().then((found) => !isGone && setDevices(found.filter(({ id }) => id !== '')))
    list()
    const media = navigator.mediaDevices as MediaDevices | undefined
    media?.addEventListener('devicechange', list)
    return () => {
      isGone = true
      media?.removeEventListener('devicechange', list)
    }
  }, [client, phase])
  return devices
}

interface DeviceFieldProps {
  readonly label: string
  readonly devices: readonly AudioDevice[]
  readonly choose: (id: string) => Promise<void>
}

const DeviceField = ({ label, devices, choose }: DeviceFieldProps) => {
  const [chosen, setChosen] = useState('')
  const [failed, setFailed] = useState(false)
  const isChoice = devices.length > 0
  return (
    <NativeSelect
      label={label}
      value={chosen}
      disabled={!isChoice}
      error={failed && 'This device cannot be used now.'}
      data={[
        ...(chosen === '' ? [{ value: '', label: 'Browser default' }] : []),
        ...devices.map(({ id, label: name }, index) => ({ value: id, label: name || `${label} ${index + 1}` })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        setChosen(value)
        setFailed(false)
        choose(value).catch(() => setFailed(true))
      }}
    />
  )
}

export interface DeviceMenuProps {
  readonly client: ParlanceClient
  readonly phase: TalkPhase
}

/** The microphone, the speaker and the volume, for this conversation and later ones. */
export const DeviceMenu = ({ client, phase }: DeviceMenuProps) => {
  const devices = useDevices(client, phase)
  const [volume, setVolume] = useState(100)
  const ofKind = (kind: AudioDevice['kind']) => devices.filter((device) => device.kind === kind)
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label="Microphone and speaker">
          <Settings2 />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Microphone and speaker">
        <Stack gap="sm">
          <DeviceField label="Microphone" devices={ofKind('input')} choose={client.setInputDevice} />
          <DeviceField label="Speaker" devices={ofKind('output')} choose={client.setOutputDevice} />
          {devices.length === 0 && (
            <Text size="xs" c="dimmed">
              The browser lists them once the microphone is allowed.
            </Text>
          )}
          <Text size="sm" fw={500} id="volume-label">
            Volume
          </Text>
          <Slider
            thumbProps={{ 'aria-labelledby': 'volume-label' }}
            value={volume}
            label={(value) => `${value} %`}
            onChange={(value) => {
              setVolume(value)
              client.setVolume(value / 100)
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
