/** A process that recognises speech with the model of a folder: its arguments are the folder and how many cores it may keep busy. */
import { EngineUnavailableError, runRecognizerHost } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { silenceErrorOutput } from './error-output.js'
import { hearForTheFirstTime, openHearer } from './recognizer.js'

const [folder = '', threads = '1'] = process.argv.slice(2)

await runRecognizerHost(async () => {
  const reading = await readRecognitionFolder(folder)
  if ('problems' in reading) throw new EngineUnavailableError(reading.problems.join('; '))
  const hearer = await openHearer(reading.model, Number(threads))
  hearForTheFirstTime(hearer, new Int16Array(16_000))
  silenceErrorOutput()
  return hearer
})
