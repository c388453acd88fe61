import { parseArgs } from 'node:util'
import { openHearer } from './hearer.js'
import { runRecognizerHost } from './recognizer-host.js'

/** `--model <path>`: the folder of the model; by default where Debian keeps it. */
const { values } = parseArgs({ options: { model: { type: 'string' } } })

await runRecognizerHost(() => openHearer(values.model))
