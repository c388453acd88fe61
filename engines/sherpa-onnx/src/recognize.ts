/** A process that recognizes speech with a model. Its arguments are the model's folder and the number of threads. */
import { EngineUnavailableError, runRecognizerHost } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { measurePace, openRecognizer } from './recognizer.js'
import { silenceErrorOutput } from './sherpa-library.js'

const [folder = '', threads = '1'] = process.argv.slice(2)

await runRecognizerHost(async () => {
  const reading = await readRecognitionFolder(folder)
  if ('problems' in reading) throw new EngineUnavailableError(reading.problems.join('; '))
  const recognizer = await openRecognizer(reading.model, Number(threads))
  const pace = measurePace(recognizer)
  silenceErrorOutput()
  return { ...recognizer, hello: { ...recognizer.hello, pace } }
})
