import { readFileSync } from 'node:fs'
import { cartesiaEngineConfig } from '../../src/remote/cartesia-engine.js'
import { elevenlabsEngineConfig } from '../../src/remote/elevenlabs-engine.js'
import { openaiEngineConfig } from '../../src/remote/openai-engine.js'

const page = readFileSync(new URL('../../../../docs/speech-servers.md', import.meta.url), 'utf8')
const schemas = [openaiEngineConfig, elevenlabsEngineConfig, cartesiaEngineConfig] as const

test.each(schemas.map((schema) => [schema.shape.type.value, schema] as const))(
  'every field of an engine of type %s is in the documentation',
  (_, schema) => {
    for (const field of Object.keys(schema.shape))
      if (field !== 'type') expect(page).toMatch(new RegExp(`\\| \`${field}[\`.]`))
  },
)
