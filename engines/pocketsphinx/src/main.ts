import { parseArgs } from 'node:util'
import { runRecognizerHost } from '@parlance/engine/host'
import { openHearer } from './recognizer.js'

/** `--model <path>`: the folder of the model; by default where Debian keeps it. */
const { values } = parseArgs({ options: { model: { type: 'string' } } })

await runRecognizerHost(() => openHearer(values.model))
