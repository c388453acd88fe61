import type { AudioDevice } from './parlance-client.js'

/** The microphones and loudspeakers of the browser. */
export interface Devices {
  /** Reads them again. */
  list(): Promise<readonly AudioDevice[]>
  /** The microphones that were read last. */
  inputs(): readonly AudioDevice[]
  /** Reads them now and at each change, until the returned function is called. */
  watch(): () => void
}

/** The part of `navigator.mediaDevices` that lists devices; undefined on pages without a secure context. */
export type MediaDeviceList = Pick<MediaDevices, 'enumerateDevices' | 'addEventListener' | 'removeEventListener'>

export const createDevices = (
  media: () => MediaDeviceList | undefined,
  onChange: (devices: readonly AudioDevice[]) => void,
): Devices => {
  let devices: readonly AudioDevice[] = []
  let inputs: readonly AudioDevice[] = []

  const list = async (): Promise<readonly AudioDevice[]> => {
    const found = ((await media()?.enumerateDevices()) ?? []).flatMap(({ deviceId: id, kind, label }): AudioDevice[] =>
      kind === 'videoinput' ? [] : [{ id, kind: kind === 'audioinput' ? 'input' : 'output', label }],
    )
    if (JSON.stringify(found) !== JSON.stringify(devices)) {
      devices = found
      inputs = found.filter(({ kind }) => kind === 'input')
      onChange(devices)
    }
    return devices
  }

  return {
    list,
    inputs: () => inputs,
    watch() {
      const read = () => void list().catch(() => {})
      read()
      media()?.addEventListener('devicechange', read)
      return () => media()?.removeEventListener('devicechange', read)
    },
  }
}
