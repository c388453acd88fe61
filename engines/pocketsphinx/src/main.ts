import { parseArgs } from 'node:util'
import { runRecognizerHost } from '@parlance/engine/host'
import { openRecognizer } from './recognizer.js'

/** `--model <path>`: the folder of the model; by default the one of the Debian package. */
const { values } = parseArgs({ options: { model: { type: 'string' } } })

await runRecognizerHost(() => openRecognizer(values.model))
