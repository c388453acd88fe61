import type { AudioDevice } from './parlance-client.js'

/** None on pages that are not secure. */
export const listDevices = async (): Promise<AudioDevice[]> => {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  return ((await devices?.enumerateDevices()) ?? []).flatMap(({ deviceId: id, kind, label }): AudioDevice[] =>
    kind === 'videoinput' ? [] : [{ id, kind: kind === 'audioinput' ? 'input' : 'output', label }],
  )
}
