/** A process that judges whether turns are over. Its argument is the model's file. */
import { runTurnDetectorHost } from '@parlance/engine/host'
import { openTurnDetector } from './turn-detector.js'

await runTurnDetectorHost(() => openTurnDetector(process.argv[2] ?? ''))
