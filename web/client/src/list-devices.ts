import type { AudioDevice } from './parlance-client.js'

/** Empty on pages without a secure context. */
export const listDevices = async (): Promise<AudioDevice[]> => {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  return ((await devices?.enumerateDevices()) ?? []).flatMap(({ deviceId: id, kind, label }): AudioDevice[] =>
    kind === 'videoinput' ? [] : [{ id, kind: kind === 'audioinput' ? 'input' : 'output', label }],
  )
}
