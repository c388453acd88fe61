import { createHash } from 'node:crypto'
import type { SynthesisRequest } from '@parlance/contracts'
import type { Engine } from '../engine/engine.js'
import type { RequestedVoice } from '../requested-voice.js'

/** The version of the format and the loudness of recordings. Recordings of other versions are not found. */
const format = 3

/**
 * Returns a hash of everything that a speech depends on. It includes the workspace, so that workspaces share no speech, and the
 * engine's info, so that no cached speech of an earlier version of the engine is used.
 */
export const speechKey = (
  { name, info }: Pick<Engine, 'name' | 'info'>,
  { workspace_id, text, cuts, output, speed, volume, alignment }: SynthesisRequest,
  { voice, variant, language }: RequestedVoice,
): string => {
  const { format: codec, sample_rate, bit_rate } = output
  const asked = [
    ...[format, name, info, workspace_id, text, cuts, voice.id, variant, language],
    ...[codec, sample_rate, bit_rate, speed, volume, [...alignment].sort()],
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}
