import { people } from './people/people.js'
import { writeModels } from './writing/write-assets.js'

/** `node tools/avatar-generator/dist/main.js FOLDER [NAME…]`: makes the models of all people, or of those named. */
const [folder, ...names] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say into which folder the models go.')
const chosen = names.length === 0 ? people : people.filter(({ name }) => names.includes(name))
await writeModels(folder, chosen, (name, bytes, ms) =>
  console.log(`${name}: ${Math.round(bytes / 1000)} kB in ${Math.round(ms)} ms`),
)
