import { createHash } from 'node:crypto'
import type { OfferedVoice } from '@parlance/contracts'
import { standInOfferedVoice } from '@parlance/testing'

/** A voice as an engine offers it; the id follows from the name. */
export const offeredVoice = (fields: Partial<OfferedVoice> = {}): OfferedVoice => ({
  ...standInOfferedVoice,
  id: createHash('sha256')
    .update(fields.display_name ?? standInOfferedVoice.display_name)
    .digest('hex')
    .slice(0, 32),
  ...fields,
})
