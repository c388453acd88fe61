import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hear, kinds, logOf, utterance } from './remote-scene.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test.each(kinds)(
  'a worker that speaks through $type does not retain memory of finished speech',
  async ({ start, open }) => {
    const standIn = await start({ maxCharacters: 10_000 })
    const engine = await open(standIn.url, logOf())
    const { signal } = new AbortController()
    const speak = async (count: number) => {
      for (let turn = 0; turn < count; turn++) {
        const text = `Number ${turn}, and so on.`
        // Some listeners leave in the middle.
        if (turn % 10 === 0) for await (const _ of engine.speak(utterance(engine, text), { signal })) break
        else await hear(engine, text)
      }
      standIn.asked.length = 0
      return heapBytes()
    }
    try {
      const settledBytes = await speak(300)
      expect((await speak(700)) / settledBytes).toBeLessThan(1.1)
    } finally {
      await engine.close()
      await standIn.close()
    }
  },
)
