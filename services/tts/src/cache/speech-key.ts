import { createHash } from 'node:crypto'
import type { SynthesisRequest } from '@parlance/contracts'
import type { Engine } from '../engine/engine.js'
import type { RequestedVoice } from '../requested-voice.js'

/** Of what a recording looks like: another number, and what older versions recorded is not found. */
const format = 2

/**
 * Says all that a speech depends on, and tells nothing of it to who reads it. Workspaces share nothing, and an engine that
 * is made of something else than before speaks anew.
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
