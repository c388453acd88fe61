import type { AudioDevice } from '@parlance/client'
import { useEffect, useId, useRef, useState } from 'react'
import { useConversationState, useDevices, useParlanceClient } from './client-hooks.js'
import { devicesIcon } from './icons.js'
import { type PartProps, useLabels } from './provider.js'

interface DeviceFieldProps {
  readonly label: string
  readonly devices: readonly AudioDevice[]
  readonly chosen: string
  choose(id: string): void
}

const DeviceField = ({ label, devices, chosen, choose }: DeviceFieldProps) => {
  const { defaultDevice } = useLabels()
  // Browsers hide the ids and names until the user has allowed the microphone.
  const known = devices.filter(({ id }) => id !== '')
  return (
    <label>
      {label}
      <select value={chosen} disabled={known.length === 0} onChange={({ target }) => choose(target.value)}>
        {chosen === '' && <option value="">{defaultDevice}</option>}
        {known.map(({ id, label: name }, index) => (
          <option key={id} value={id}>
            {name || `${label} ${index + 1}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A button that opens the choice of the microphone, the speaker and the volume. */
export const DeviceMenu = ({ className = '', style }: PartProps) => {
  const { devices } = useLabels()
  const [isOpen, setIsOpen] = useState(false)
  const [opensTo, setOpensTo] = useState('')
  const [chosen, setChosen] = useState({ input: '', output: '' })
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: PointerEvent) => {
      if (!menu.current?.contains(target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its controls do not
    <div
      ref={menu}
      className={`parlance parlance-devices ${className}`}
      style={style}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setIsOpen(false)
        button.current?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="parlance-button"
        aria-label={devices}
        title={devices}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={({ currentTarget }) => {
          const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
          setOpensTo(`${left + right < innerWidth ? 'right' : 'left'} ${top + bottom < innerHeight ? 'down' : 'up'}`)
          setIsOpen(!isOpen)
        }}
      >
        {devicesIcon}
      </button>
      <fieldset id={id} aria-label={devices} hidden={!isOpen} data-opens-to={opensTo}>
        {isOpen && <DeviceFields chosen={chosen} setChosen={setChosen} />}
      </fieldset>
    </div>
  )
}

interface DeviceFieldsProps {
  readonly chosen: Readonly<Record<AudioDevice['kind'], string>>
  setChosen(chosen: DeviceFieldsProps['chosen']): void
}

/** The devices are read while the menu is open. */
const DeviceFields = ({ chosen, setChosen }: DeviceFieldsProps) => {
  const client = useParlanceClient()
  const labels = useLabels()
  const { inputs, outputs } = useDevices()
  const volume = useConversationState('volume')
  const [failed, setFailed] = useState(false)

  const choose = (kind: AudioDevice['kind'], use: (id: string) => Promise<void>) => (id: string) =>
    use(id).then(
      () => {
        setChosen({ ...chosen, [kind]: id })
        setFailed(false)
      },
      () => setFailed(true),
    )
  return (
    <>
      <DeviceField
        label={labels.microphone}
        devices={inputs}
        chosen={chosen.input}
        choose={choose('input', client.setInputDevice)}
      />
      <DeviceField
        label={labels.speaker}
        devices={outputs}
        chosen={chosen.output}
        choose={choose('output', client.setOutputDevice)}
      />
      {[...inputs, ...outputs].every(({ id }) => id === '') && <small>{labels.devicesUnknown}</small>}
      {failed && <small role="alert">{labels.deviceFailed}</small>}
      <label>
        {labels.volume}
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={volume}
          onChange={({ target }) => client.setVolume(target.valueAsNumber)}
        />
      </label>
    </>
  )
}
