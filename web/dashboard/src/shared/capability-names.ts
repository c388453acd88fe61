import type { components } from '../api/schema.js'

export type Capability = components['schemas']['OperatedWorkspace']['capabilities'][number]

/** In the order in which they are shown. */
export const capabilityNames: Readonly<Record<Capability, string>> = {
  agents: 'Agents',
  stt: 'Speech recognition',
  tts: 'Text to speech',
}

/** Such as "Agents, Text to speech". */
export const namesOfCapabilities = (capabilities: readonly Capability[]): string =>
  Object.entries(capabilityNames)
    .filter(([capability]) => capabilities.includes(capability as Capability))
    .map(([, name]) => name)
    .join(', ') || 'None'
